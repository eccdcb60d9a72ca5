"""How the time of a page goes with the number of pages, and how two workers compare with one thread.

    python benchmarks/spark.py [PAGES ...]

Prints for each number of pages: pages a second of one thread here, of two Spark workers after their start, and the most memory
of a worker's Python. The pages are those of the tests.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import pyarrow as pa
import shop
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import unsite
import unsite.spark

# Files that the pages are dealt out to: several for each worker, so that one slow task does not decide.
FILES = 8


def session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    unsite.spark.register(spark)
    return spark


def write(folder: Path, count: int) -> None:
    folder.mkdir()
    for part in range(FILES):
        some = [shop.book(n) for n in range(part, count, FILES)]
        shop.write_warc(folder / f"{part}.warc.gz", some, first=part * count)


def memory(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for _ in batches:
        pass
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield pa.RecordBatch.from_pydict({"mb": [most]})


def main(counts: list[int]) -> None:
    wrapper = unsite.discover(shop.pages()).wrapper
    spark = session()

    with tempfile.TemporaryDirectory() as temporary:
        wrapper.save(f"{temporary}/shop.unsite")

        def rows_of(folder: Path) -> Any:
            reading = spark.read.format("unsite-warc").option("wrapper", f"{temporary}/shop.unsite")
            return reading.load(f"{folder}/*.warc.gz")

        write(Path(temporary) / "first", 200)
        rows_of(Path(temporary) / "first").count()  # Workers start.
        print("pages  one thread/s  two workers/s  of twice  rows  worker MB")
        for count in counts:
            folder = Path(temporary) / str(count)
            write(folder, count)
            begin = time.perf_counter()
            alone = sum(
                batch.num_rows for file in sorted(folder.iterdir()) for batch in wrapper.batches(file)
            )
            one = time.perf_counter() - begin
            begin = time.perf_counter()
            counted = rows_of(folder).agg(F.count("*"), F.sum(F.size("cells"))).collect()[0][0]
            two = time.perf_counter() - begin
            most = max(row["mb"] for row in rows_of(folder).mapInArrow(memory, "mb long").collect())
            assert counted == alone
            print(f"{count:6} {count / one:12.0f} {count / two:14.0f} {one / two / 2:9.2f} {alone:6} {most:9}", flush=True)
    spark.stop()


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [2_000, 20_000, 50_000])
