#!/usr/bin/env python3
"""How many pages a second scrapely, AutoScraper and unsite extract from, one thread each, on the same pages.

usage: peers.py EXTRACT_SPEED GOLD_SITE...

EXTRACT_SPEED is the example of that name (target/release/examples/extract_speed). A gold site is read with `zstd` and `tar`.
Each peer is taught with the labelled fields of one page of the site, as its documentation tells; unsite learns from the
pages without labels. For all three the time is that of parsing and extracting pages that are in memory. Peers that are not
installed are left out; docs/wrappers.md says how to install them.
"""
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import time

# Peers are slow: so many pages of a site tell their speed.
PEER_PAGES = 150
# The fastest round counts, in seconds of the processor, for all three: only disturbances make one slower. unsite is measured before the peers and
# after them, because disturbances last.
ROUNDS = 3
SECONDS = 2


def load(path):
    raw = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout
    archive = tarfile.open(fileobj=io.BytesIO(raw))
    gold = [json.loads(line) for line in archive.extractfile("gold.jsonl").read().decode().splitlines() if line.strip()]
    pages = []
    for page in gold:
        html = archive.extractfile(page["file"]).read().decode("utf-8", "replace")
        pages.append((page.get("url", ""), html, page.get("fields") or {}))
    return pages


def example(pages):
    """The page with the most fields that stand on it, and those fields."""
    def shown(page):
        return {name: values[0] for name, values in page[2].items() if values and values[0] in page[1]}
    best = max(pages, key=lambda page: len(shown(page)))
    return best, shown(best)


def pages_a_second(pages, extract):
    def seconds():
        start = time.process_time()
        for url, html, _ in pages:
            extract(url, html)
        return time.process_time() - start
    rounds = []
    while len(rounds) < ROUNDS or sum(rounds) < SECONDS:
        rounds.append(seconds())
    return len(pages) / min(rounds)


def scrapely(pages):
    from scrapely import HtmlPage, Scraper
    from scrapely.template import FragmentAlreadyAnnotated, FragmentNotFound

    (url, html, _), fields = example(pages)
    scraper = Scraper()
    # It cannot learn two fields of one text: those that it refuses are left out.
    while fields:
        try:
            scraper.train_from_htmlpage(HtmlPage(url, body=html), fields)
            break
        except (FragmentAlreadyAnnotated, FragmentNotFound):
            fields.popitem()
    return pages_a_second(pages, lambda url, html: scraper.scrape_page(HtmlPage(url, body=html)))


def autoscraper(pages):
    from autoscraper import AutoScraper

    (url, html, _), fields = example(pages)
    scraper = AutoScraper()
    scraper.build(html=html, wanted_list=list(fields.values()))
    return pages_a_second(pages, lambda url, html: scraper.get_result_similar(html=html, grouped=True))


def unsite(program, path):
    """Pages a second; the program goes on with measuring memory, which nobody waits for."""
    running = subprocess.Popen([program, path], stdout=subprocess.PIPE, text=True)
    found = re.search(r"extract +(\d+)/s", running.stdout.readline())
    running.kill()
    running.wait()
    return float(found.group(1))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, paths = sys.argv[1], sys.argv[2:]
    least, spent, ours_spent = {}, {}, {}
    for path in paths:
        pages = load(path)
        before = unsite(program, path)
        speeds = {}
        for name, run in (("scrapely", scrapely), ("AutoScraper", autoscraper)):
            try:
                speeds[name] = run(pages[:PEER_PAGES])
            except ImportError:
                print(f"{name} is not installed", file=sys.stderr)
        ours = max(before, unsite(program, path))
        line = f"{os.path.basename(path):40} {len(pages):5} pages  unsite {ours:7.0f}/s"
        for name, speed in speeds.items():
            least[name] = min(least.get(name, float("inf")), ours / speed)
            spent[name] = spent.get(name, 0) + 1 / speed
            ours_spent[name] = ours_spent.get(name, 0) + 1 / ours
            line += f"  {name} {speed:7.1f}/s ({ours / speed:.1f}x)"
        print(line, flush=True)
    for name, ratio in least.items():
        print(f"{spent[name] / ours_spent[name]:.1f} times as fast as {name} over all sites, at least {ratio:.1f} times on each")


if __name__ == "__main__":
    main()
