#!/usr/bin/env python3
"""What a crawl costs beside Scrapy and wget: the same invented shop on loopback, no pause, one request at a time.

usage: peer_crawlers.py UNSITE [PAGES]

Prints, for each, how many pages it saved and the seconds of the processor that it took for a thousand of them, its own start
included; the server runs apart and does not count. All three keep what they fetched: unsite and wget in a compressed WARC,
Scrapy in JSON Lines. Programs that are not installed are left out: `pip install scrapy`, `apt-get install wget`.
"""
import http.server
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

import shop_pages

SPIDER = '''
import scrapy

class Shop(scrapy.Spider):
    name = "shop"
    start_urls = ["%s"]

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
        yield from response.follow_all(css="main a[href], nav a[href], aside a[href]")
'''


def site(pages):
    products = pages * shop_pages.ON_A_LIST // (shop_pages.ON_A_LIST + 1)
    lists = -(-products // (shop_pages.ON_A_LIST * len(shop_pages.CATEGORIES)))
    made = [shop_pages.product_page(number, products) for number in range(products)]
    made += [shop_pages.list_page(category, page, products)
             for category in shop_pages.CATEGORIES for page in range(1, lists + 1)]
    host = "https://goods.example"
    return {url[len(host):]: html.encode() for url, html in made}


def serve(pages):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = pages.get(self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def cpu_of(command, folder):
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before = spent()
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return spent() - before, ended


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    unsite = os.path.abspath(sys.argv[1])
    pages = site(int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
    host = serve(pages)
    start = host + "/c/kitchen/1"
    folder = tempfile.mkdtemp()
    with open(f"{folder}/spider.py", "w") as file:
        file.write(SPIDER % start)
    scrapy = os.path.join(os.path.dirname(sys.executable), "scrapy")
    commands = {
        "unsite": ([unsite, "crawl", start, "-o", "site.warc.gz", "--delay", "0", "--allow-private", "-q"], unsite),
        "wget": (["wget", "-q", "-r", "-l", "inf", "-e", "robots=off", "--warc-file=wget", "--delete-after",
                  "--domains=127.0.0.1", start, "--include-directories=/c,/p"], shutil.which("wget")),
        "Scrapy": ([scrapy, "runspider", "spider.py", "-o", "pages.jsonl", "-s", "CONCURRENT_REQUESTS=1", "-s", "LOG_ENABLED=0",
                    "-s", "TELNETCONSOLE_ENABLED=0", "-s", "DOWNLOAD_DELAY=0"], scrapy if os.path.exists(scrapy) else None),
    }
    saved = {
        "unsite": lambda: records(f"{folder}/site.warc.gz"),
        "wget": lambda: records(f"{folder}/wget.warc.gz"),
        "Scrapy": lambda: sum(1 for _ in open(f"{folder}/pages.jsonl")),
    }
    ours = None
    for name, (command, program) in commands.items():
        if program is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        seconds, ended = cpu_of(command, folder)
        try:
            count = saved[name]()
        except OSError:
            print(f"{name} left nothing (exit {ended.returncode}): {ended.stderr[-300:]}", file=sys.stderr)
            continue
        each = 1000 * seconds / max(count, 1)
        ours = ours or each
        print(f"{name:8} {count:6} pages of {len(pages)}, {each:.2f} s of the processor for a thousand ({each / ours:.1f} times unsite's)", flush=True)
    shutil.rmtree(folder)


def records(path):
    """Pages of 200 in a WARC."""
    import gzip
    with gzip.open(path) as file:
        return file.read().count(b"\r\nHTTP/1.1 200 OK\r\n")


if __name__ == "__main__":
    main()
