"""What the package costs beside the command line: time on one thread, memory, start.

    python benches/speed.py [--pages N] [--memory N] [SITE]

Times are of the processor (user and system), so that other programs on the machine tell little; each is the best of three, the ways
taking turns. `UNSITE_PROGRAM` names the command line. Without SITE the shop of the tests is measured.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import many

import unsite

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("UNSITE_PROGRAM", str(ROOT / "target" / "release" / "unsite"))
TURNS = 3


def spent(code: str) -> float:
    """Seconds of the processor that a program in Python takes."""
    return of_children(lambda: subprocess.run([sys.executable, "-c", code], check=True))


def of_children(run: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def speed(pages: list[many.Page], count: int, folder: Path) -> None:
    wrapper, warc = folder / "w.unsite", folder / "all" / "0.warc.gz"
    unsite.discover(pages, name="site").wrapper.save(wrapper)
    size = many.write_warcs(folder / "all", pages, count, 1)
    print(f"{count:,} pages of {size // count // 1000} kB, one thread")
    out, begin = folder / "out.parquet", f"import unsite; w = unsite.Wrapper.open({str(wrapper)!r}); p = {str(warc)!r}; "

    def line() -> float:
        shutil.rmtree(out, ignore_errors=True)
        command = [PROGRAM, "--quiet", "--threads", "1", "extract", str(warc), "-w", str(wrapper), "-o", f"{out}/"]
        # 4: copies of pages are not the site that was learned.
        return of_children(lambda: subprocess.run(command, check=False, capture_output=True))

    def to_files() -> float:
        shutil.rmtree(out, ignore_errors=True)
        return spent(f"{begin} w.extract_to(p, {str(out)!r} + '/', threads=1)")

    ways: dict[str, Callable[[], float]] = {
        "unsite extract, to Parquet": line,
        "Wrapper.extract_to, to Parquet": to_files,
        "Wrapper.extract, tables in memory": lambda: spent(
            f"{begin} import warnings; warnings.simplefilter('ignore'); w.extract(p, threads=1)"
        ),
        "Wrapper.batches, rows": lambda: spent(f"{begin} n = sum(b.num_rows for b in w.batches(p))"),
    }
    best = {name: min(times) for name, times in zip(ways, zip(*[[run() for run in ways.values()] for _ in range(TURNS)]))}
    for name, seconds in best.items():
        print(f"  {name:34} {count / seconds:8.0f} pages/s  {best['unsite extract, to Parquet'] / seconds:5.2f}")


def memory(pages: list[many.Page], most: int) -> None:
    wrapper = unsite.discover(pages, name="site").wrapper
    print("pages, most memory so far in MB")
    seen = 0
    stops = [most // 10, most // 4, most // 2, most]
    for at, batch in enumerate(wrapper.batches(many.copies(pages, most))):
        seen = min(most, (at + 1) * 256)
        while stops and seen >= stops[0]:
            print(f"  {stops.pop(0):8,} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}", flush=True)
        del batch


def start() -> None:
    code = "import time; b = time.perf_counter(); import unsite; print((time.perf_counter() - b) * 1000)"
    times = sorted(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(21))
    print(f"import: {times[10]:.0f} ms in the middle of 21 times, {times[-1]:.0f} at most")
    for wheel in sorted((ROOT / "target" / "wheels").glob("*.whl")):
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--memory", type=int, default=100_000)
    parser.add_argument("site", nargs="?")
    told = parser.parse_args()
    start()
    pages = many.pages_of(told.site)
    with tempfile.TemporaryDirectory() as folder:
        speed(pages, told.pages, Path(folder))
    memory(pages, told.memory)


if __name__ == "__main__":
    main()
