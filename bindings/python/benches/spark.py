"""Two Spark workers beside one thread, and how the time of a page goes with the number of pages.

    python benches/spark.py [--site SITE] [--cells] [PAGES ...]

For each number of pages: pages a second of one thread here and of two workers after their start, how that compares with twice the
one thread, the same for time of the processor (all processes of Spark together), the most memory of a worker's Python and of an executor's
JVM, and the time of a page. Rows are read and given to Spark, which throws them away (`noop`). Without SITE the pages are those
of the tests, which are small.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import many
from pyspark.sql import SparkSession

import unsite
import unsite.spark

# Files that the pages are dealt out to: two for each worker, so that one slow task does not decide.
FILES = 4
# Pages that are read before anything is measured, and how often: workers start, and the JVM compiles what it runs.
FIRST, TIMES = 2_000, 6

TICKS = os.sysconf("SC_CLK_TCK")


def session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    unsite.spark.register(spark)
    return spark


def processes() -> dict[int, tuple[str, float, int]]:
    """The processes below this one: name, seconds of the processor, most memory in MB."""
    found: dict[int, tuple[int, str, float, int]] = {}
    for path in Path("/proc").iterdir():
        if not path.name.isdigit():
            continue
        try:
            name, _, rest = (path / "stat").read_text().partition("(")[2].rpartition(")")
            fields = rest.split()
            status = dict(line.split(":", 1) for line in (path / "status").read_text().splitlines() if ":" in line)
        except (OSError, ValueError):
            continue
        seconds = sum(int(field) for field in fields[11:15]) / TICKS
        most = int(status.get("VmHWM", "0 kB").split()[0]) // 1024
        found[int(path.name)] = (int(fields[1]), name, seconds, most)
    below = {os.getpid()}
    while True:
        more = {pid for pid, (parent, *_) in found.items() if parent in below} - below
        if not more:
            break
        below |= more
    return {pid: found[pid][1:] for pid in below - {os.getpid()} if pid in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--site")
    parser.add_argument("--cells", action="store_true")
    parser.add_argument("pages", nargs="*", type=int, default=[2_000, 20_000, 50_000])
    told = parser.parse_args()
    pages = many.pages_of(told.site)
    wrapper = unsite.discover(pages, name="site").wrapper
    spark = session()

    with tempfile.TemporaryDirectory() as temporary:
        wrapper.save(f"{temporary}/site.unsite")

        def through(folder: Path) -> None:
            reading = spark.read.format("unsite-warc").option("wrapper", f"{temporary}/site.unsite")
            rows = reading.option("cells", told.cells).load(f"{folder}/*.warc.gz")
            rows.write.format("noop").mode("overwrite").save()

        def measured(run: Any) -> tuple[float, float]:
            before, mine, begin = processes(), time.process_time(), time.perf_counter()
            run()
            wall, mine, after = time.perf_counter() - begin, time.process_time() - mine, processes()
            return wall, mine + sum(used - before.get(pid, ("", 0.0, 0))[1] for pid, (_, used, _) in after.items())

        many.write_warcs(Path(temporary) / "first", pages, FIRST, FILES)
        for _ in range(TIMES):
            through(Path(temporary) / "first")
        print(f"{'pages':>7} {'kB':>4} {'one/s':>7} {'two/s':>7} {'of twice':>8} {'by processor':>12} {'ms a page':>9}", end="")
        print(f" {'Python MB':>9} {'JVM MB':>7}")
        for count in told.pages:
            folder = Path(temporary) / str(count)
            size = many.write_warcs(folder, pages, count, FILES)

            def alone() -> None:
                for file in sorted(folder.iterdir()):
                    for _ in wrapper.batches(file, cells=told.cells):
                        pass

            one, one_used = measured(alone)
            two, two_used = measured(lambda: through(folder))
            there = processes().values()
            python = max((most for name, _, most in there if name.startswith(("python", "pt_main"))), default=0)
            java = sorted((most for name, _, most in there if name.startswith("java")), reverse=True)
            print(
                f"{count:7} {size // count // 1000:4} {count / one:7.0f} {count / two:7.0f} {one / two / 2:8.2f}"
                f" {one_used / two_used:12.2f} {two / count * 1000:9.2f} {python:9} {'/'.join(map(str, java)):>7}",
                flush=True,
            )
    spark.stop()


if __name__ == "__main__":
    main()
