"""Many pages to measure with: those of a site, again and again under new addresses."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

import unsite

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import shop

Page = tuple[str, bytes]


def pages_of(site: str | None) -> list[Page]:
    """The pages of a source, or without one those of the shop of the tests."""
    if site is None:
        return [(url, html.encode()) for url, html in shop.pages()]
    tables = [pa.record_batch(batch) for batch in unsite.Source(site).batches()]
    rows = (row for batch in tables for row in batch.select(["url", "html"]).to_pylist())
    return [(row["url"], row["html"]) for row in rows if row["html"]]


def copies(pages: list[Page], count: int) -> Iterator[Page]:
    """So many pages, none at an address that was learned from."""
    for at, (url, html) in enumerate(itertools.islice(itertools.cycle(pages), count)):
        yield f"{url}{'&' if '?' in url else '?'}copy={at // len(pages) + 1}", html


def write_warcs(folder: Path, pages: list[Page], count: int, files: int) -> int:
    """So many pages in so many archives; gives their bytes."""
    folder.mkdir()
    outs = [(folder / f"{part}.warc.gz").open("wb") for part in range(files)]
    size = 0
    for at, (url, html) in enumerate(copies(pages, count)):
        outs[at % files].write(shop.record(url, html, at, level=1))
        size += len(html)
    for out in outs:
        out.close()
    return size
