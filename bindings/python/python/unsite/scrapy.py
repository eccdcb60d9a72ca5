"""A wrapper inside a Scrapy crawl.

``UnsiteMiddleware`` is a spider middleware: it reads every HTML response with the wrapper that ``UNSITE_WRAPPER`` names, puts what
it read at ``response.meta["unsite"]``, adds the rows as items, and counts drift in the crawler's stats. ``CollectPipeline`` is an
item pipeline that keeps every page in the WARC file that ``UNSITE_WARC`` names and learns a wrapper (``UNSITE_WRAPPER``) when the
spider closes.

.. code-block:: python

    SPIDER_MIDDLEWARES = {"unsite.scrapy.UnsiteMiddleware": 900}
    UNSITE_WRAPPER = "site.unsite"
"""

from __future__ import annotations

import gzip
import uuid
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

import unsite

__all__ = ["CollectPipeline", "UnsiteMiddleware", "drift", "items"]

#: Sent once when pages do not look as they were learned: ``receiver(report, spider)``.
drift = object()

#: Pages between two looks at whether the site has changed: a comparison costs about as much as reading some pages.
LOOK_EVERY = 50


def items(read: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a page as items: the values, with ``_table``, ``_row``, ``_parent`` and ``_url`` beside them.

    ``_view`` marks what a list says of a thing whose own page is another.
    """
    for row in read["rows"]:
        place = {"_table": row["table"], "_row": row["row"], "_parent": row["parent"], "_url": read["url"]}
        place["_view"] = row["is_view"]
        yield {**place, **row["values"]}


class UnsiteMiddleware:
    """Adds what a wrapper reads to responses, and notices when the site has changed.

    Settings: ``UNSITE_WRAPPER`` (a wrapper file, required), ``UNSITE_ITEMS`` (whether rows are added as items, yes unless told
    otherwise), ``UNSITE_TABLES`` (the tables whose rows are added, all unless told otherwise).
    """

    def __init__(self, crawler: Any, wrapper: unsite.Wrapper) -> None:
        self.crawler = crawler
        self.wrapper = wrapper
        self.watch = wrapper.watch()
        self.adds_items: bool = crawler.settings.getbool("UNSITE_ITEMS", True)
        self.tables: set[str] = set(crawler.settings.getlist("UNSITE_TABLES"))
        self.seen = 0
        self.has_told = False
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Any) -> UnsiteMiddleware:
        path = crawler.settings.get("UNSITE_WRAPPER")
        if not path:
            raise NotConfigured("UNSITE_WRAPPER names no wrapper file")
        return cls(crawler, unsite.Wrapper.open(path))

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        """Reads a response before the spider sees it."""
        stats = self.crawler.stats
        if not isinstance(response, HtmlResponse) or not response.body:
            return
        page = {"url": response.url, "html": response.body, "status": response.status}
        read = self.wrapper.read(page)
        response.meta["unsite"] = read
        self.watch.add(page)
        self.seen += 1
        stats.inc_value("unsite/pages")
        stats.inc_value(f"unsite/pages/{read['page_type'] or 'set_aside'}")
        for kind, _ in read["problems"]:
            stats.inc_value(f"unsite/problems/{kind}")
        if self.seen % LOOK_EVERY == 0:
            self.look()

    def process_spider_output(self, response: Response, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """Adds the rows of a response to what the spider made of it."""
        yield from result
        yield from self.added(response)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """The same for spiders that are asynchronous."""
        async for item in result:
            yield item
        for item in self.added(response):
            yield item

    def added(self, response: Response) -> Iterator[dict[str, Any]]:
        """The rows of a response as items."""
        read = response.meta.get("unsite") if self.adds_items else None
        for item in items(read) if read else ():
            if not self.tables or item["_table"] in self.tables:
                self.crawler.stats.inc_value(f"unsite/items/{item['_table']}")
                yield item

    def look(self) -> None:
        """Compares what was seen with what was learned."""
        report = self.watch.report()
        self.crawler.stats.set_value("unsite/drift", len(report.findings))
        self.crawler.stats.set_value("unsite/set_aside", report.set_aside)
        if report.has_changed and not self.has_told:
            self.has_told = True
            self.crawler.signals.send_catch_log(signal=drift, report=report, spider=self.crawler.spider)

    def spider_closed(self, spider: Any) -> None:
        """A last look."""
        if self.seen:
            self.look()


class CollectPipeline:
    """Keeps every HTML page of a crawl in a WARC file and learns the site at the end.

    Settings: ``UNSITE_WARC`` (the file, required), ``UNSITE_WRAPPER`` (where the wrapper goes; without it nothing is learned),
    ``UNSITE_SAMPLE`` (pages that are learned from, 2000 unless told otherwise).
    """

    def __init__(self, crawler: Any, path: Path) -> None:
        self.crawler = crawler
        self.path = path
        self.file: Any = None
        self.pages = 0
        crawler.signals.connect(self.collect, signal=signals.response_received)

    @classmethod
    def from_crawler(cls, crawler: Any) -> CollectPipeline:
        path = crawler.settings.get("UNSITE_WARC")
        if not path:
            raise NotConfigured("UNSITE_WARC names no file for the pages")
        return cls(crawler, Path(path))

    def open_spider(self, spider: Any = None) -> None:
        """Begins the file."""
        self.file = self.path.open("wb")

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Items go on as they are."""
        return item

    def collect(self, response: Response, request: Any, spider: Any) -> None:
        """Keeps a page."""
        if self.file is None or not isinstance(response, HtmlResponse) or not response.body:
            return
        self.file.write(_record(response))
        self.pages += 1
        self.crawler.stats.inc_value("unsite/collected")

    def close_spider(self, spider: Any = None) -> None:
        """Learns what was collected."""
        self.file.close()
        self.file = None
        target = self.crawler.settings.get("UNSITE_WRAPPER")
        if not target or not self.pages:
            return
        sample = self.crawler.settings.getint("UNSITE_SAMPLE", 2000)
        wrapper = unsite.discover(self.path, sample=sample).wrapper
        wrapper.save(target)
        self.crawler.stats.set_value("unsite/page_types", len(wrapper.page_types))


def _record(response: Response) -> bytes:
    """A response as one gzip member of a WARC file. The body is as Scrapy has it, decompressed."""
    gone = {b"content-encoding", b"transfer-encoding", b"content-length"}
    fields = [(name, value) for name, values in response.headers.items() for value in values if name.lower() not in gone]
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = "Unknown"
    head = f"HTTP/1.1 {response.status} {phrase}\r\n".encode()
    head += b"".join(name + b": " + value + b"\r\n" for name, value in fields)
    block = head + f"Content-Length: {len(response.body)}\r\n\r\n".encode() + response.body
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    warc = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {response.url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(warc.encode() + block + b"\r\n\r\n")
