"""A real crawl over loopback."""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shop

import unsite

pytest.importorskip("scrapy")

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
import unsite.scrapy

settings, start, out, asynchronous = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4] == "async"
told = []

class Spider(scrapy.Spider):
    name = "shop"
    start_urls = [start]

    @classmethod
    def from_crawler(cls, crawler):
        spider = super().from_crawler(crawler)
        crawler.signals.connect(spider.drifted, signal=unsite.scrapy.drift)
        return spider

    def drifted(self, report, spider):
        told.append(len(report.findings))

    if asynchronous:
        async def parse(self, response):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, self.parse)
            yield {"own": response.url, "type": (response.meta.get("unsite") or {}).get("page_type")}
    else:
        def parse(self, response):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, self.parse)
            yield {"own": response.url, "type": (response.meta.get("unsite") or {}).get("page_type")}

process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": False, "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "FEEDS": {out: {"format": "jsonlines"}}, **settings})
crawler = process.create_crawler(Spider)
process.crawl(crawler)
process.start()
stats = {key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, (int, str))}
print(json.dumps({"stats": stats, "told": told}))
"""


class Server(http.server.ThreadingHTTPServer):
    # As many as the crawler asks for at a time, and more.
    request_queue_size = 64


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: dict[str, bytes]
    changed = False

    def do_GET(self) -> None:
        path = self.path
        body = self.site.get(path)
        if body is not None and self.changed and path.startswith("/book/"):
            number = int(path.split("/")[-1].split(".")[0])
            body = self.local(shop.book(number, changed=True)[1])
        self.send_response(200 if body is not None else 404)
        body = body or b"<h1>not found</h1>"
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass

    def local(self, html: str) -> bytes:
        host, port = self.server.server_address[:2]
        return html.replace(shop.HOST, f"http://{host!s}:{port}").encode()


@pytest.fixture()
def server(pages: list[shop.Page]) -> Iterator[tuple[str, type[Handler]]]:
    class Here(Handler):
        changed = False

    with Server(("127.0.0.1", 0), Here) as there:
        there.daemon_threads = True
        base = f"http://127.0.0.1:{there.server_address[1]}"
        Here.site = {url.removeprefix(shop.HOST): html.replace(shop.HOST, base).encode() for url, html in pages}
        thread = threading.Thread(target=there.serve_forever)
        thread.start()
        yield base, Here
        there.shutdown()
        thread.join()


def crawl(base: str, settings: dict[str, object], out: Path, kind: str = "plain") -> dict[str, dict[str, int]]:
    # Scrapy reads the source of spiders.
    program = out.with_suffix(".py")
    program.write_text(SPIDER)
    done = subprocess.run(
        [sys.executable, str(program), json.dumps(settings), f"{base}/list?page=1", str(out), kind],
        capture_output=True, text=True, check=False, timeout=300,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    said: dict[str, dict[str, int]] = json.loads(done.stdout.splitlines()[-1])
    return said


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_crawl_collects_learns_extracts_and_notices(
    server: tuple[str, type[Handler]], tmp_path: Path, pages: list[shop.Page], kind: str
) -> None:
    base, handler = server
    wrapper, warc = tmp_path / "shop.unsite", tmp_path / "shop.warc.gz"
    collecting = {
        "ITEM_PIPELINES": {"unsite.scrapy.CollectPipeline": 300},
        "UNSITE_WARC": str(warc),
        "UNSITE_WRAPPER": str(wrapper),
    }
    first = crawl(base, collecting, tmp_path / "first.jsonl", kind)
    assert first["stats"]["unsite/collected"] >= 60 and first["stats"]["unsite/page_types"] >= 3, first
    assert unsite.Wrapper.open(wrapper).provenance["source"] == "shop.warc.gz"

    reading = {"SPIDER_MIDDLEWARES": {"unsite.scrapy.UnsiteMiddleware": 900}, "UNSITE_WRAPPER": str(wrapper)}
    second = crawl(base, reading, tmp_path / "second.jsonl", kind)
    items = [json.loads(line) for line in (tmp_path / "second.jsonl").read_text().splitlines()]
    told = [item for item in items if item.get("_table") == "book"]
    books = [item for item in told if not item["_view"]]
    assert len(told) == second["stats"]["unsite/items/book"] > len(books) == second["stats"]["unsite/pages/book"] >= 60
    # What lists say of a book is marked, and known by the same address.
    assert {item["url"] for item in told} == {item["_url"] for item in books}
    days = {item["_url"].split("/")[-1]: item["published"] for item in books}
    assert days["4.html"] == shop.DAYS[4]
    assert {item["type"] for item in items if "own" in item} >= {"book", "author"}
    assert second["stats"]["unsite/drift"] == 0 and second["told"] == []

    handler.changed = True
    only = {**reading, "UNSITE_TABLES": ["author"]}
    third = crawl(base, only, tmp_path / "third.jsonl", kind)
    assert third["stats"]["unsite/drift"] > 0 and len(third["told"]) == 1
    tables = {json.loads(line).get("_table") for line in (tmp_path / "third.jsonl").read_text().splitlines()}
    assert tables <= {None, "author"}


def test_an_exported_spider_reads_with_a_wrapper(
    server: tuple[str, type[Handler]], program: Callable[..., str], tmp_path: Path
) -> None:
    base, _ = server
    local = [(url.replace(shop.HOST, base), html.replace(shop.HOST, base)) for url, html in shop.pages()]
    shop.write_warc(tmp_path / "shop.warc.gz", local)
    wrapper, spider, out = tmp_path / "shop.unsite", tmp_path / "spider.py", tmp_path / "items.jsonl"
    program("learn", tmp_path / "shop.warc.gz", "-w", wrapper)
    program("export", "-w", wrapper, "--to", "scrapy", "-o", spider)
    command = ["runspider", spider, "-a", f"start={base}/list?page=1", "-a", f"wrapper={wrapper}", "-O", out]
    fast = ["-s", "DOWNLOAD_DELAY=0", "-s", "LOG_LEVEL=ERROR", "-s", "TELNETCONSOLE_ENABLED=False"]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *map(str, command), *fast], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    items = [json.loads(line) for line in out.read_text().splitlines()]
    books = [item for item in items if item["_table"] == "book" and not item["_view"]]
    days = {item["_url"].split("/")[-1]: item["published"] for item in books}
    assert len(days) >= 60 and days["4.html"] == shop.DAYS[4]
