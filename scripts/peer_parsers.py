#!/usr/bin/env python3
"""How fast others parse and select beside unsite: on the same pages, one thread each, in one run.

usage: peer_parsers.py EXTRACT_SPEED GOLD_SITE...

EXTRACT_SPEED is the example of that name (target/release/examples/extract_speed). Each line says how many times as fast as the
other unsite is: our bare parser against theirs, and our whole extraction (parsing, telling the page type, every column) against
their parsing with five CSS selectors, or their main text. Peers that are not installed are left out:

    python3 -m venv peers && peers/bin/pip install selectolax lxml parsel trafilatura
"""
import collections
import re
import subprocess
import sys

from peers import load, pages_a_second

PEER_PAGES = 150
SELECTORS = ["title", "h1", "a[href]", "img[src]", "li a"]


def lexbor_parse():
    from selectolax.lexbor import LexborHTMLParser
    return LexborHTMLParser


def lexbor_select():
    from selectolax.lexbor import LexborHTMLParser
    return lambda html: [[node.text() for node in tree.css(one)] for tree in [LexborHTMLParser(html)] for one in SELECTORS]


def lxml_parse():
    import lxml.html
    return lambda html: lxml.html.document_fromstring(html.encode())


def parsel_select():
    from parsel import Selector
    return lambda html: [[node.xpath("string()").get() for node in page.css(one)]
                         for page in [Selector(text=html)] for one in SELECTORS]


def trafilatura_text():
    import trafilatura
    return lambda html: trafilatura.extract(html)


# Name, what it is compared with, and what makes it.
PEERS = [("lexbor (selectolax), bare parser", "parse", lexbor_parse), ("lxml, bare parser", "parse", lxml_parse),
         ("selectolax with 5 selectors", "extract", lexbor_select), ("parsel with 5 selectors", "extract", parsel_select),
         ("trafilatura, main text", "extract", trafilatura_text)]


def unsite(program, path):
    """Pages a second of html5ever, of our parser and of extraction; it goes on with measuring memory, which nobody waits for."""
    running = subprocess.Popen([program, path], stdout=subprocess.PIPE, text=True)
    line = running.stdout.readline()
    running.kill()
    running.wait()
    return {name: float(re.search(name + r" +(\d+)/s", line).group(1)) for name in ("html5ever", "parse", "extract")}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, paths = sys.argv[1], sys.argv[2:]
    times = collections.Counter()
    ratios = collections.defaultdict(list)
    for path in paths:
        pages = [page for page in load(path) if page[1].strip()][:PEER_PAGES]
        before = unsite(program, path)
        theirs = {}
        for name, _, make in PEERS:
            try:
                run = make()
            except ImportError:
                print(f"{name}: not installed", file=sys.stderr)
                continue
            theirs[name] = pages_a_second(pages, lambda _, html: run(html))
        after = unsite(program, path)
        ours = {name: max(before[name], after[name]) for name in before}
        theirs["html5ever, bare parser"] = ours["html5ever"]
        against = {name: which for name, which, _ in PEERS}
        told = []
        for name, speed in theirs.items():
            which = against.get(name, "parse")
            times[name] += 1 / speed
            times[name, which] += 1 / ours[which]
            ratios[name].append(ours[which] / speed)
            told.append(f"{name} {ours[which] / speed:.2f}x")
        print(path.rsplit("/", 1)[-1], "  ".join(told), flush=True)
    for name, each in ratios.items():
        which = next(key[1] for key in times if isinstance(key, tuple) and key[0] == name)
        print(f"{times[name] / times[name, which]:.1f} times as fast as {name} over all sites, {min(each):.1f} to {max(each):.1f} a site")


if __name__ == "__main__":
    main()
