"""The same pure function in Ray and Dask."""

from __future__ import annotations

import os
from typing import Any

import pytest
import shop

import unsite

pa = pytest.importorskip("pyarrow")


def table_of(pages: list[shop.Page]) -> Any:
    return pa.table({"url": [url for url, _ in pages], "html": [html for _, html in pages]})


def rows_of(table: Any) -> list[tuple[Any, ...]]:
    return sorted(
        (row["page"], row["table"], row["row"], repr(sorted(dict(row["values"]).items()))) for row in table.to_pylist()
    )


def test_pages_of_several_sites_are_read_each_with_its_own_wrapper(
    wrapper: unsite.Wrapper, pages: list[shop.Page]
) -> None:
    from unsite.engines import extractor, mapper

    other = [(url.replace("shop.test", "other.test"), html) for url, html in pages[:30]]
    both = extractor({"shop.test": wrapper})
    rows = pa.Table.from_batches(list(both(table_of([*pages, *other]).to_batches())))
    assert set(rows["site"].to_pylist()) == {"shop.test"}
    assert rows_of(rows) == rows_of(mapper(wrapper)(table_of(pages)))
    with pytest.raises(unsite.UnsiteError, match="no wrapper"):
        extractor("site.unsite")  # type: ignore[arg-type]


def test_ray_maps_batches(wrapper: unsite.Wrapper, pages: list[shop.Page]) -> None:
    ray = pytest.importorskip("ray")
    from unsite.engines import mapper

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20)
    try:
        data = ray.data.from_arrow([table_of(pages[:40]), table_of(pages[40:])])
        found = data.map_batches(mapper(wrapper), batch_format="pyarrow", batch_size=16)
        tables = [ray.get(reference) for reference in found.to_arrow_refs()]
        read = [row for table in tables for row in rows_of(table)]
        assert sorted(read) == rows_of(mapper(wrapper)(table_of(pages)))
    finally:
        ray.shutdown()


def test_dask_maps_partitions(wrapper: unsite.Wrapper, pages: list[shop.Page]) -> None:
    dataframes = pytest.importorskip("dask.dataframe")
    import dask

    from unsite.engines import mapper

    map_pages = mapper(wrapper)
    frame = table_of(pages).to_pandas()
    meta = map_pages(frame.iloc[:0])
    with dask.config.set({"dataframe.convert-string": False, "scheduler": "synchronous"}):
        rows = dataframes.from_pandas(frame, npartitions=3).map_partitions(map_pages, meta=meta).compute()
    assert len(rows) == map_pages(table_of(pages)).num_rows
    assert sorted(set(rows["table"])) == sorted(set(map_pages(table_of(pages))["table"].to_pylist()))
