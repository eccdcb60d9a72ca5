"""The same job on a Spark cluster: pages from archives, one exact sample, rows in one schema, tables.

>>> pages = spark.read.format("unsite-warc").load("crawl/*.warc.gz")        # doctest: +SKIP
>>> site = unsite.spark.discover(pages)                                     # doctest: +SKIP
>>> rows = pages.mapInArrow(unsite.spark.extractor(site.wrapper), unsite.spark.ROWS)   # doctest: +SKIP
>>> tables = unsite.spark.tables(rows, site.wrapper)                        # doctest: +SKIP
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)

import unsite
from unsite.engines import BATCH, by_host, extractor, host

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["PAGES", "ROWS", "Site", "WarcDataSource", "discover", "extractor", "latest", "register", "tables", "wrappers"]

#: Records that one task reads of an index of records.
RECORDS_A_TASK = 5_000

#: What ``unsite-warc`` gives: pages, and rows without ``html`` whose ``problem`` and ``message`` say what could not be read.
PAGES = StructType(
    [
        StructField("url", StringType()),
        StructField("reference", StringType()),
        StructField("html", BinaryType()),
        StructField("charset", StringType()),
        StructField("status", IntegerType()),
        StructField("offset", LongType()),
        StructField("captured", StringType()),
        StructField("layout", BinaryType()),
        StructField("problem", StringType()),
        StructField("message", StringType()),
    ]
)

#: What ``extractor`` gives, whatever the site: ``unsite.ROWS``.
ROWS = StructType(
    [
        StructField("site", StringType()),
        StructField("page", LongType(), nullable=False),
        StructField("url", StringType()),
        StructField("reference", StringType()),
        StructField("captured", StringType()),
        StructField("page_type", StringType()),
        StructField("table", StringType(), nullable=False),
        StructField("id", LongType(), nullable=False),
        StructField("parent_id", LongType()),
        StructField("is_view", BooleanType(), nullable=False),
        StructField("row", IntegerType(), nullable=False),
        StructField("parent", IntegerType()),
        StructField("values", MapType(StringType(), StringType()), nullable=False),
        StructField(
            "cells",
            ArrayType(
                StructType(
                    [
                        StructField("column", StringType(), nullable=False),
                        StructField("value", StringType(), nullable=False),
                        StructField("typed", StringType()),
                        StructField("path", StringType(), nullable=False),
                    ]
                )
            ),
            nullable=False,
        ),
    ]
)

_STATE = StructType([StructField("site", StringType()), StructField("state", BinaryType())])
_WRAPPER = StructType(
    [StructField("site", StringType()), StructField("wrapper", StringType()), StructField("error", StringType())]
)
_TYPES = {"int64": "bigint", "float64": "double", "string": "string", "date": "date"}


def register(spark: SparkSession) -> None:
    """Makes ``spark.read.format("unsite-warc")`` known."""
    spark.dataSource.register(WarcDataSource)


class _Part(InputPartition):
    """One file, or some records of it."""

    def __init__(self, path: str, ranges: list[tuple[int, int]] | None = None) -> None:
        super().__init__((path, ranges))
        self.path = path
        self.ranges = ranges


class WarcDataSource(DataSource):
    """Pages of archives.

    ``load(path)`` takes a path, a pattern with ``*``, several of them separated by commas, or a list of file names (``.paths``,
    ``.paths.gz``, as Common Crawl has them). ``.option("index", path)`` names a Parquet or CSV file with the columns
    ``warc_filename``, ``warc_record_offset`` and ``warc_record_length``: only those records are read. ``.option("root", folder)``
    is where the names of lists and indexes are looked for, otherwise beside the list or index itself.

    With ``.option("wrapper", path)`` the pages are read with that wrapper where they are, and ``ROWS`` come out: no page travels
    through Spark. ``.option("cells", False)`` leaves the column ``cells`` empty.
    """

    @classmethod
    def name(cls) -> str:
        return "unsite-warc"

    def schema(self) -> StructType:
        return ROWS if self.options.get("wrapper") else PAGES

    def reader(self, schema: StructType) -> DataSourceReader:
        path = self.options.get("wrapper")
        wrapper = unsite.Wrapper.open(_local(path)) if path else None
        return _WarcReader(dict(self.options), wrapper)


class _WarcReader(DataSourceReader):
    def __init__(self, options: dict[str, str], wrapper: unsite.Wrapper | None) -> None:
        self.options = options
        self.wrapper = wrapper
        self.cells = options.get("cells", "true").lower() != "false"

    def partitions(self) -> list[InputPartition]:
        index = self.options.get("index")
        if index:
            return list(_records(_local(index), self.options.get("root")))
        path = self.options.get("path")
        if not path:
            raise unsite.SourceError("no path was given", "", 'Use .load("crawl/*.warc.gz") or .option("index", path)')
        files = [file for part in path.split(",") for file in _files(_local(part.strip()), self.options.get("root"))]
        return [_Part(file) for file in files]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Part)
        try:
            if partition.ranges is None:
                source = unsite.Source(partition.path)
            else:
                source = unsite.Source.records(partition.path, partition.ranges)
        except unsite.SourceError as error:
            # One bad file costs a row, never the job.
            problem = _problem(Path(partition.path).name, str(error))
            yield problem if self.wrapper is None else pa.record_batch(self.wrapper.extract_rows(problem))
            return
        batches = (
            source.batches(BATCH)
            if self.wrapper is None
            else self.wrapper.batches(source, size=BATCH, cells=self.cells)
        )
        for batch in batches:
            yield pa.record_batch(batch)


def _local(path: str) -> str:
    """Spark names local files with a scheme; others are read through a file system that is mounted."""
    if path.startswith("file:"):
        return urlsplit(path).path
    if "://" in path:
        raise unsite.SourceError(
            f"{path} is on no file system that every worker has",
            path,
            "Mount it, or read the pages with Spark and give a table with url and html",
        )
    return path


def _files(path: str, root: str | None) -> list[str]:
    # Workers have other folders than the driver.
    path = str(Path(path).absolute())
    found = sorted(glob(path)) or [path]
    files: list[str] = []
    for file in found:
        if file.endswith((".paths", ".paths.gz")):
            text = gzip.decompress(Path(file).read_bytes()) if file.endswith(".gz") else Path(file).read_bytes()
            folder = Path(root or Path(file).parent).absolute()
            files.extend(str(folder / line.strip()) for line in text.decode().splitlines() if line.strip())
        elif Path(file).exists():
            files.append(file)
        else:
            raise unsite.SourceError(f"nothing is called {path}", path, "Check the spelling, and that every worker has it")
    return files


def _records(index: str, root: str | None) -> Iterator[_Part]:
    columns = ["warc_filename", "warc_record_offset", "warc_record_length"]
    if index.endswith(".csv"):
        import pyarrow.csv

        table = pyarrow.csv.read_csv(index)
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(index)
    missing = [name for name in columns if name not in table.column_names]
    if missing:
        there = ", ".join(table.column_names)
        raise unsite.SourceError(
            f"the index has no column {missing[0]}; its columns are {there}", index, f"It needs {', '.join(columns)}"
        )
    folder = Path(root or Path(index).parent).absolute()
    by_file: dict[str, list[tuple[int, int]]] = {}
    for name, offset, length in zip(*(table.column(name).to_pylist() for name in columns)):
        by_file.setdefault(name, []).append((offset, length))
    for name in sorted(by_file):
        # In the order of the file, so that neighbours stay together.
        ranges = sorted(by_file[name])
        for start in range(0, len(ranges), RECORDS_A_TASK):
            yield _Part(str(folder / name), ranges[start : start + RECORDS_A_TASK])


def _problem(reference: str, message: str) -> pa.RecordBatch:
    row = {"reference": reference, "problem": "unreadable", "message": message}
    schema = pa.schema(unsite.PAGES)
    return pa.RecordBatch.from_pylist([{**dict.fromkeys(schema.names), **row}], schema=schema)


def _states(seed: int, sample: int, by_site: bool) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Round 1: each task says which of its pages could be in the sample, without the pages."""

    def look(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        states: dict[str, unsite.SampleState] = {}
        for batch in batches:
            for name, part in by_host(batch) if by_site else [("", batch)]:
                if name not in states:
                    states[name] = unsite.SampleState(seed, sample)
                states[name].add(part)
        rows = [{"site": name, "state": state.to_bytes()} for name, state in states.items()]
        yield pa.RecordBatch.from_pylist(rows, schema=pa.schema([("site", pa.string()), ("state", pa.binary())]))

    return look


def _picked(bounds: dict[str, bytes], by_site: bool) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Round 2: the pages that are in the sample."""

    def pick(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        known = {name: unsite.SampleState.from_bytes(bound) for name, bound in bounds.items()}
        for batch in batches:
            for name, part in by_host(batch) if by_site else [("", batch)]:
                found = pa.record_batch(known[name].pick(part))
                if found.num_rows:
                    yield found

    return pick


class Site:
    """A site that was learned on a cluster, with its pages."""

    def __init__(self, wrapper: unsite.Wrapper, pages: DataFrame) -> None:
        self.wrapper = wrapper
        self.pages = pages

    @property
    def page_types(self) -> list[Any]:
        """The page types, as ``unsite.Site`` has them."""
        return list(self.wrapper.page_types)

    @cached_property
    def rows(self) -> DataFrame:
        """The rows of all pages: ``ROWS`` without cells."""
        return self.pages.mapInArrow(extractor(self.wrapper, cells=False), ROWS)

    @cached_property
    def tables(self) -> dict[str, DataFrame]:
        """The tables. ``site.rows.cache()`` before the first is read, where more than one is wanted."""
        return tables(self.rows, self.wrapper)

    def __repr__(self) -> str:
        return f"Site({self.wrapper!r})"


def discover(
    pages: DataFrame,
    *,
    seed: int = 42,
    sample: int = 2000,
    by: str | None = None,
    name: str = "pages",
    threads: int | None = None,
) -> Any:
    """Learns the site that pages are from, exactly as one machine would that saw all of them.

    Only keys of pages travel in the first round, and the pages of the sample in the second; discovery runs on the driver. The
    answer is a :class:`Site`. With
    ``by="site"`` there is one wrapper for each host, learned on the workers: the answer is a table with ``site``, ``wrapper`` (the
    text of a wrapper file) and ``error``, which :func:`extractor` and :func:`wrappers` take.
    """
    if by not in (None, "site"):
        raise unsite.UnsiteError(f"by is {by!r}", "", 'Give by="site", or leave it away for one site')
    missing = [column for column in ("url", "html") if column not in pages.columns]
    if missing:
        there = ", ".join(pages.columns)
        raise unsite.PageError(
            f"the table has no column {missing[0]!r}; its columns are {there}", "", "Rename one: withColumnRenamed"
        )
    parts = pages.mapInArrow(_states(seed, sample, by == "site"), _STATE).collect()
    states: dict[str, unsite.SampleState] = {}
    for part in parts:
        state = unsite.SampleState.from_bytes(bytes(part["state"]))
        if part["site"] in states:
            states[part["site"]].merge(state)
        else:
            states[part["site"]] = state
    states = {site: state for site, state in states.items() if state.total}
    if not states:
        raise unsite.NoPagesError("the table holds no pages", "", "Look at its columns problem and message")
    bounds = {site: state.bound().to_bytes() for site, state in states.items()}
    totals = {site: state.total for site, state in states.items()}
    readable = pages.filter(F.col("html").isNotNull())
    chosen = readable.mapInArrow(_picked(bounds, by == "site"), PAGES)
    if by is None:
        wrapper = unsite.learn(
            chosen.toArrow(), total=totals[""], seed=seed, sample=sample, name=name, threads=threads
        )
        return Site(wrapper, pages)
    return _by_site(chosen, totals, seed, sample, name)


def _by_site(chosen: DataFrame, totals: dict[str, int], seed: int, sample: int, name: str) -> DataFrame:
    def learn(key: tuple[Any, ...], group: pa.Table) -> pa.Table:
        site = key[0].as_py()
        answer: dict[str, str | None] = {"site": site, "wrapper": None, "error": None}
        try:
            wrapper = unsite.learn(group, total=totals[site], seed=seed, sample=sample, name=site or name, threads=1)
            answer["wrapper"] = wrapper.to_text()
        except unsite.UnsiteError as error:
            answer["error"] = str(error)
        schema = pa.schema([("site", pa.string()), ("wrapper", pa.string()), ("error", pa.string())])
        return pa.Table.from_pylist([answer], schema=schema)

    hosts = F.udf(host, StringType())
    return chosen.groupBy(hosts(F.col("url")).alias("site")).applyInArrow(learn, _WRAPPER)


def wrappers(learned: DataFrame) -> dict[str, unsite.Wrapper]:
    """The wrappers of ``discover(pages, by="site")``."""
    rows = learned.filter(F.col("wrapper").isNotNull()).collect()
    return {row["site"]: unsite.Wrapper.from_text(row["wrapper"]) for row in rows}


def tables(rows: DataFrame, wrapper: unsite.Wrapper) -> dict[str, DataFrame]:
    """The tables of rows: what one machine writes of the same pages, cell by cell.

    ``id`` is the key of a row and ``<parent>_id`` that of the row that it belongs to, as ``keys`` of a table names it; ``page_id`` is its own
    page, or the first that tells of it. Where several pages may tell of one row (things that have a page, facts,
    relations) they are put together by ``id``; the other tables are a filter and casts, for which nothing is sent around.
    """
    found: dict[str, DataFrame] = {}
    for layout in wrapper.layout:
        of_table = rows.filter(F.col("table") == layout["name"])
        found[layout["name"]] = (_gathered if layout["is_gathered"] else _single)(of_table, layout)
    return found


def latest(rows: DataFrame) -> DataFrame:
    """The rows of the newest capture of each address.

    Tables hold what was seen last; where an address was captured more than once, ``tables(latest(rows), wrapper)`` are those that
    one machine writes. What is not known to be captured at some time stays.
    """
    captured = rows.filter((F.col("table") == "_pages") & F.col("captured").isNotNull())
    newest = captured.groupBy(F.col("url").alias("of")).agg(F.max("captured").alias("newest"))
    beside = rows.join(newest, rows["url"] == newest["of"], "left")
    is_last = F.col("captured").isNull() | F.col("newest").isNull() | (F.col("captured") == F.col("newest"))
    return beside.filter(is_last).select(*(rows[name] for name in rows.columns))


def _value(column: Mapping[str, Any], at: Column) -> Column:
    return at.cast(_TYPES[column["type"]]).alias(column["name"])


def _single(rows: DataFrame, layout: Mapping[str, Any]) -> DataFrame:
    values = [_value(column, F.col("values").getItem(column["name"])) for column in layout["columns"]]
    return rows.select(*_keys(layout, F.col("id"), F.col("page"), F.col("parent_id")), *values)


def _gathered(rows: DataFrame, layout: Mapping[str, Any]) -> DataFrame:
    """What the row's own page says, and what that does not say from the first page that does."""
    place = F.struct("url", "reference", "row")
    own = F.when(~F.col("is_view"), place)
    told = F.struct(F.col("page"), F.col("parent_id"), F.col("values"))
    gathered = [F.min_by(told, own).alias("own"), F.min_by(told, place).alias("first")]
    gathered.append(F.min_by("parent_id", F.when(F.col("parent_id").isNotNull(), place)).alias("any_parent"))
    amounts = [column["name"] for column in layout["columns"] if column["beside"] is None]
    beside = {column["beside"]: column["name"] for column in layout["columns"] if column["beside"] is not None}
    for at, name in enumerate(amounts):
        # What stands beside a value comes from where the value does.
        values = [F.col("values").getItem(known).alias(f"v{n}") for n, known in enumerate([name, *_some(beside.get(name))])]
        says = F.when(F.map_contains_key(F.col("values"), F.lit(name)), place)
        gathered.append(F.min_by(F.struct(*values), says).alias(f"c{at}"))
    together = rows.groupBy("id").agg(*gathered)
    columns = {column["name"]: column for column in layout["columns"]}
    values = []
    for at, name in enumerate(amounts):
        own_says = F.map_contains_key(F.col("own")["values"], F.lit(name))
        for n, known in enumerate([name, *_some(beside.get(name))]):
            best = F.when(own_says, F.col("own")["values"].getItem(known)).otherwise(F.col(f"c{at}")[f"v{n}"])
            values.append(_value(columns[known], best))
    page = F.coalesce(F.col("own")["page"], F.col("first")["page"])
    parent = F.coalesce(F.col("own")["parent_id"], F.col("any_parent"))
    return together.select(*_keys(layout, F.col("id"), page, parent), *values)


def _some(name: str | None) -> list[str]:
    return [] if name is None else [name]


def _keys(layout: Mapping[str, Any], row: Column, page: Column, parent: Column) -> list[Column]:
    keys = [row.alias("id"), page.alias("page_id")]
    if layout["parent"] is not None:
        keys.append(parent.alias(layout["parent"][0]))
    return keys
