"""Spark with worker processes of their own."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shop

import unsite

pytest.importorskip("pyspark")
pa = pytest.importorskip("pyarrow")
if shutil.which("java") is None:
    pytest.skip("there is no Java (apt-get install default-jre-headless)", allow_module_level=True)

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import unsite.spark
from same import of_frames, of_one_machine


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the session is started."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[SparkSession]:
    before = Path.cwd()
    os.chdir(home)
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        # Two executors, each a process of its own.
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("unsite")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.local.dir", str(tmp_path_factory.mktemp("local")))
        .config("spark.sql.execution.arrow.pyspark.enabled", "true")
        .getOrCreate()
    )
    os.chdir(before)
    unsite.spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, pages: list[shop.Page]) -> Path:
    """The shop in three archives, a list of them and an index of their records."""
    folder = tmp_path_factory.mktemp("crawl")
    shuffled = random.Random(3).sample(pages, len(pages))
    index: dict[str, list[Any]] = {"warc_filename": [], "warc_record_offset": [], "warc_record_length": []}
    for part in range(3):
        some = shuffled[part::3]
        name = f"part-{part}.warc.gz"
        for offset, length in shop.write_warc(folder / name, some, first=100 * part):
            index["warc_filename"].append(name)
            index["warc_record_offset"].append(offset)
            index["warc_record_length"].append(length)
    names = "".join(f"part-{part}.warc.gz\n" for part in range(3))
    (folder / "warc.paths.gz").write_bytes(gzip.compress(names.encode()))
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table(index).slice(10, 20), folder / "index.parquet")
    return folder


def load(spark: SparkSession, path: Path | str, **options: str) -> DataFrame:
    return spark.read.format("unsite-warc").options(**options).load(str(path))


def keyed(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted(
        (row["id"], row["table"], row["page"], row["row"], row["parent_id"] or 0, repr(sorted(dict(row["values"]).items())))
        for row in rows
    )


def test_archives_lists_and_indexes_are_read(spark: SparkSession, folder: Path, pages: list[shop.Page]) -> None:
    by_pattern = load(spark, folder / "*.warc.gz")
    assert by_pattern.schema == unsite.spark.PAGES and by_pattern.rdd.getNumPartitions() == 3
    urls = sorted(row["url"] for row in by_pattern.select("url").collect())
    assert urls == sorted(url for url, _ in pages)
    by_list = load(spark, folder / "warc.paths.gz")
    assert sorted(row["url"] for row in by_list.select("url").collect()) == urls
    by_index = load(spark, folder, index=str(folder / "index.parquet")).select("reference", "html", "problem").collect()
    assert len(by_index) == 20 and all(row["problem"] is None for row in by_index)
    assert {bytes(row["html"]).decode() for row in by_index} <= {html for _, html in pages}


def test_damage_is_a_row(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    whole = (folder / "part-0.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) - 200])
    (tmp_path / "none.warc.gz").write_bytes(b"")
    rows = load(spark, tmp_path / "*.warc.gz").select("url", "problem", "message", "reference").collect()
    problems = [row for row in rows if row["problem"]]
    assert {row["problem"] for row in problems} == {"truncated", "unreadable"}
    assert any("empty" in row["message"] and row["reference"] == "none.warc.gz" for row in problems)
    assert sum(row["problem"] is None for row in rows) >= 20


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_what_is_learned_is_what_one_machine_learns(
    spark: SparkSession, folder: Path, partitions: int
) -> None:
    sample = 40
    expected = unsite.discover(
        [batch for part in range(3) for batch in unsite.Source(folder / f"part-{part}.warc.gz").batches()],
        sample=sample,
    )
    shuffled = load(spark, folder / "*.warc.gz").orderBy(F.rand(partitions)).repartition(partitions)
    learned = unsite.spark.discover(shuffled, sample=sample)
    assert learned.wrapper.to_text() == expected.wrapper.to_text()
    assert learned.page_types == expected.page_types and learned.tables["book"].count() == 60


def test_rows_and_tables_are_those_of_one_machine(
    spark: SparkSession, folder: Path, wrapper: unsite.Wrapper, tmp_path: Path
) -> None:
    paths = [folder / f"part-{part}.warc.gz" for part in range(3)]
    batches = [batch for path in paths for batch in unsite.Source(path).batches()]
    expected = pa.Table.from_batches([pa.record_batch(batch) for batch in wrapper.batches(batches)])
    rows = load(spark, folder / "*.warc.gz").mapInArrow(unsite.spark.extractor(wrapper), unsite.spark.ROWS).cache()
    found = rows.toArrow()
    assert keyed(found.to_pylist()) == keyed(expected.to_pylist())
    tables = unsite.spark.tables(rows, wrapper)
    collected = {name: table.toArrow() for name, table in tables.items()}
    addresses = {row["page"]: row["url"] for row in found.to_pylist() if row["table"] == "_pages"}
    one = of_one_machine(wrapper.extract(batches))
    assert of_frames(wrapper.layout, collected, addresses) == one and len(one["book"]) == 60
    kinds = dict(tables["book"].dtypes)
    assert kinds["published"] == "date" and kinds["id"] == kinds["page_id"] == "bigint"
    review, key = next((t["name"], t["parent"][0]) for t in wrapper.layout if t["parent"] and "review" in t["name"])
    books = tables["book"].select(F.col("id").alias(key))
    assert tables[review].join(books, key).count() == sum(1 + n % 4 for n in range(60))
    bare = load(spark, folder / "*.warc.gz").mapInArrow(unsite.spark.extractor(wrapper, cells=False), unsite.spark.ROWS)
    assert bare.filter(F.size("cells") > 0).count() == 0 and keyed(bare.toArrow().to_pylist()) == keyed(found.to_pylist())
    wrapper.save(tmp_path / "w.unsite")
    at_once = load(spark, folder / "*.warc.gz", wrapper=str(tmp_path / "w.unsite"))
    assert at_once.schema == unsite.spark.ROWS
    assert keyed(at_once.toArrow().to_pylist()) == keyed(expected.to_pylist())
    rows.unpersist()


def test_captures_and_edits_are_honoured(spark: SparkSession, captures: Path) -> None:
    learned = unsite.discover(captures).wrapper
    rows = load(spark, captures).mapInArrow(unsite.spark.extractor(learned, cells=False), unsite.spark.ROWS)
    assert rows.filter("table = '_pages' and page_type is not null").count() == 120
    edited = learned.rename({"book.published": "came_out", "book": "volume"})
    for wrapper in (learned, edited):
        rows = load(spark, captures).mapInArrow(unsite.spark.extractor(wrapper, cells=False), unsite.spark.ROWS)
        last = unsite.spark.latest(rows).cache()
        tables = {name: table.toArrow() for name, table in unsite.spark.tables(last, wrapper).items()}
        addresses = {row["page"]: row["url"] for row in last.filter("table = '_pages'").select("page", "url").collect()}
        assert len(addresses) == 60
        assert of_frames(wrapper.layout, tables, addresses) == of_one_machine(wrapper.extract(captures))
        last.unpersist()


def test_many_sites_at_once(spark: SparkSession, pages: list[shop.Page]) -> None:
    other = [(url.replace("shop.test", "other.test"), html.replace("shop.test", "other.test")) for url, html in pages]
    both = spark.createDataFrame([*pages, *other], ["url", "html"]).repartition(4)
    learned = unsite.spark.discover(both, by="site")
    wrappers = unsite.spark.wrappers(learned)
    assert sorted(wrappers) == ["other.test", "shop.test"]
    alone = unsite.discover(pages, name="shop.test").wrapper
    assert wrappers["shop.test"] == alone
    rows = both.mapInArrow(unsite.spark.extractor(wrappers), unsite.spark.ROWS)
    counts = {row["site"]: row["count"] for row in rows.filter("table = 'book' and not is_view").groupBy("site").count().collect()}
    assert counts == {"shop.test": 60, "other.test": 60}


def test_a_killed_worker_changes_nothing(
    spark: SparkSession, folder: Path, wrapper: unsite.Wrapper, tmp_path: Path
) -> None:
    extract: Callable[..., Any] = unsite.spark.extractor(wrapper)
    marker = str(tmp_path / "killed")

    def once(batches: Any) -> Any:
        for batch in batches:
            yield from extract([batch])
            try:
                handle = os.open(marker, os.O_CREAT | os.O_EXCL)
            except FileExistsError:
                continue
            os.close(handle)
            os.kill(os.getpid(), 9)

    pages_there = load(spark, folder / "*.warc.gz")
    plain = pages_there.mapInArrow(extract, unsite.spark.ROWS).toArrow().to_pylist()
    killed = pages_there.mapInArrow(once, unsite.spark.ROWS).toArrow().to_pylist()
    assert os.path.exists(marker)
    assert keyed(killed) == keyed(plain)


@pytest.mark.skipif(not os.environ.get("UNSITE_SLOW"), reason="takes a minute: UNSITE_SLOW=1")
def test_it_runs_on_a_standalone_cluster(folder: Path, wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    """A master and two workers that were started by themselves, and a driver that knows their address alone."""
    import pyspark

    spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
    deploy, port = "org.apache.spark.deploy", free_port()
    address = f"spark://127.0.0.1:{port}"
    worker = [f"{deploy}.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "-c", "1", "-m", "1g", "-d", str(tmp_path)]
    commands = [[f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]]
    commands += [[*worker, address]] * 2
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    wrapper.save(tmp_path / "shop.unsite")
    running = [subprocess.Popen([str(spark_class), *command], **quiet) for command in commands]  # type: ignore[call-overload]
    try:
        code = (
            "import sys\nfrom pyspark.sql import SparkSession\nimport unsite.spark\n"
            f"builder = SparkSession.builder.master({address!r}).config('spark.executor.memory', '512m')\n"
            "builder = builder.config('spark.driver.host', '127.0.0.1').config('spark.ui.enabled', 'false')\n"
            "spark = builder.getOrCreate()\nunsite.spark.register(spark)\n"
            f"pages = spark.read.format('unsite-warc').load({str(folder / '*.warc.gz')!r})\n"
            "site = unsite.spark.discover(pages, name='shop.warc.gz')\n"
            "print(site.tables['book'].count(), site.wrapper.to_text() == open(sys.argv[1]).read(), "
            "spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1)\n"
        )
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        command = [sys.executable, "-c", code, str(tmp_path / "shop.unsite")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["60", "True", "2"]
    finally:
        for process in running:
            process.terminate()
            process.wait()


def free_port() -> int:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        port: int = there.getsockname()[1]
        return port


def test_mistakes_are_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(unsite.PageError, match="no column 'html'"):
        unsite.spark.discover(spark.createDataFrame([("a", "b")], ["url", "text"]))
    with pytest.raises(unsite.NoPagesError):
        unsite.spark.discover(spark.createDataFrame([], "url string, html string"))
    with pytest.raises(Exception, match="nothing is called"):
        load(spark, tmp_path / "none.warc.gz").collect()
    with pytest.raises(Exception, match="no file system that every worker has"):
        load(spark, "s3://bucket/x.warc.gz").collect()


def test_the_code_of_spark_md(
    spark: SparkSession, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from test_docs import run

    shutil.copytree(folder, home / "crawl")
    after = run("spark.md", home, monkeypatch, spark=spark)
    assert after["tables"]["book"].count() == 60 and list(after["wrappers"]) == ["shop.test"]
