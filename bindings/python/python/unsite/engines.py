"""Wrappers for engines that map batches: Spark's ``mapInArrow``, Ray's ``map_batches``, Dask's ``map_partitions``.

The functions here are pure: a batch of pages goes in, a batch of ``unsite.ROWS`` comes out, on whatever machine. They need
pyarrow and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

import unsite

__all__ = ["BATCH", "extractor", "mapper"]

#: Pages that are read together: enough to pay for the way to Python, few enough that memory stays small.
BATCH = 256


def host(url: str | None) -> str:
    """The host of an address; nothing where there is none."""
    try:
        return urlsplit(url or "").netloc.lower()
    except ValueError:
        return ""


def by_host(batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The pages of each host."""
    hosts: dict[str, list[int]] = {}
    for at, url in enumerate(batch.column("url").to_pylist()):
        hosts.setdefault(host(url), []).append(at)
    for name, rows in hosts.items():
        yield name, batch.take(pa.array(rows))


def extractor(
    wrapper: unsite.Wrapper | Mapping[str, unsite.Wrapper],
    *,
    site: str | None = None,
    cells: bool = True,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function from batches of pages to batches of ``ROWS``. Of several wrappers, by host, each reads the pages of its own.

    Without ``cells`` that column is empty: where every value stands is most of the bytes.
    """
    if not isinstance(wrapper, (unsite.Wrapper, Mapping)):
        kind = type(wrapper).__name__
        raise unsite.UnsiteError(f"{kind} is no wrapper", "", "Give a Wrapper, or a dict of them by host")

    def extract(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if isinstance(wrapper, unsite.Wrapper):
                yield from _read(wrapper, batch, site, cells)
                continue
            for name, part in by_host(batch):
                if name in wrapper:
                    yield from _read(wrapper[name], part, name, cells)

    return extract


def mapper(
    wrapper: unsite.Wrapper | Mapping[str, unsite.Wrapper],
    *,
    site: str | None = None,
    cells: bool = True,
) -> Callable[[Any], Any]:
    """The same from one table to one table: a ``pyarrow.Table``, or a pandas data frame, which then comes back."""
    extract = extractor(wrapper, site=site, cells=cells)

    def of_table(pages: Any) -> Any:
        is_arrow = isinstance(pages, (pa.Table, pa.RecordBatch))
        table = pages if is_arrow else pa.Table.from_pandas(pages, preserve_index=False)
        batches = table.to_batches() if isinstance(table, pa.Table) else [table]
        rows = pa.Table.from_batches(list(extract(batches)), schema=pa.schema(unsite.ROWS))
        return rows if is_arrow else rows.to_pandas()

    return of_table


def _read(wrapper: unsite.Wrapper, batch: pa.RecordBatch, site: str | None, cells: bool) -> Iterator[pa.RecordBatch]:
    for start in range(0, batch.num_rows, BATCH):
        yield pa.record_batch(wrapper.extract_rows(batch.slice(start, BATCH), site=site, cells=cells))
