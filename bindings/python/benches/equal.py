"""Python and Spark beside the command line, on whole sites: the same wrapper byte for byte, the same tables cell by cell.

    python benches/equal.py [--spark] SITE ...

Prints a line for each site and ends with 1 where anything differs. `UNSITE_PROGRAM` names the command line.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import many  # noqa: F401  (puts the tests in reach)
import pyarrow as pa
import pyarrow.parquet
from same import of_frames, of_one_machine

import unsite

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("UNSITE_PROGRAM", str(ROOT / "target" / "release" / "unsite"))


def program(*args: object) -> None:
    done = subprocess.run([PROGRAM, "--quiet", *map(str, args)], capture_output=True, text=True, check=False)
    # 3: a part of the source could not be read, of which Python has a row as well.
    if done.returncode not in (0, 3):
        sys.exit(f"{PROGRAM} {' '.join(map(str, args))}: {done.stderr}")


def alone(site: Path, folder: Path) -> tuple[unsite.Wrapper, str, bool]:
    """The wrapper, what there is to say, and whether all is equal."""
    program("learn", site, "-w", folder / "cli.unsite")
    program("extract", site, "-w", folder / "cli.unsite", "-o", f"{folder / 'cli.parquet'}/")
    wrapper = unsite.discover(site).wrapper
    same_wrapper = wrapper.to_text().encode() == (folder / "cli.unsite").read_bytes()
    tables = wrapper.extract(site)
    cells = 0
    wrong = []
    for name, table in tables.items():
        mine, theirs = pa.table(table), pyarrow.parquet.read_table(folder / "cli.parquet" / f"{name}.parquet")
        cells += mine.num_rows * mine.num_columns
        if not mine.equals(theirs):
            wrong.append(name)
    said = f"wrapper {'equal' if same_wrapper else 'DIFFERS'}, {len(tables)} tables of {cells:,} cells "
    said += f"DIFFER: {', '.join(wrong)}" if wrong else "equal"
    return wrapper, said, same_wrapper and not wrong


def clustered(site: Path, wrapper: unsite.Wrapper, spark: Any) -> tuple[str, bool]:
    """The same through Spark: wrappers of 1, 2 and 7 shuffled partitions, and the tables."""
    from pyspark.sql import functions as F

    import unsite.spark

    pages = pa.Table.from_batches([pa.record_batch(batch) for batch in unsite.Source(site).batches()])
    frame = spark.createDataFrame(pages, schema=unsite.spark.PAGES)
    wrong = []
    for partitions in (1, 2, 7):
        shuffled = frame.orderBy(F.rand(partitions)).repartition(partitions)
        learned = unsite.spark.discover(shuffled, name=wrapper.provenance["source"])
        if learned.wrapper.to_text() != wrapper.to_text():
            wrong.append(f"wrapper of {partitions}")
    rows = frame.repartition(7).mapInArrow(unsite.spark.extractor(wrapper, cells=False), unsite.spark.ROWS).cache()
    tables = {name: table.toArrow() for name, table in unsite.spark.tables(rows, wrapper).items()}
    addresses = {row["page"]: row["url"] for row in rows.filter("table = '_pages'").select("page", "url").collect()}
    rows.unpersist()
    found, expected = of_frames(wrapper.layout, tables, addresses), of_one_machine(wrapper.extract(site))
    for name in expected:
        if found[name] != expected[name]:
            new = sum(a != b for a, b in zip(found[name], expected[name]))
            wrong.append(f"{name} ({len(found[name])} and {len(expected[name])} rows, {new} of them)")
    return ("Spark DIFFERS: " + ", ".join(wrong) if wrong else "Spark equal"), not wrong


def main(args: list[str]) -> int:
    spark = None
    if "--spark" in args:
        from spark import session

        spark = session()
    all_equal = True
    for site in (Path(arg) for arg in args if not arg.startswith("--")):
        with tempfile.TemporaryDirectory() as folder:
            wrapper, said, equal = alone(site, Path(folder))
            if spark is not None:
                more, equal_there = clustered(site, wrapper, spark)
                said, equal = f"{said}; {more}", equal and equal_there
        print(f"{site.name}: {said}", flush=True)
        all_equal &= equal
    if spark is not None:
        spark.stop()
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
