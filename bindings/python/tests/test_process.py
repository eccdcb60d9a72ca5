"""What the package does to the process: threads, forks, signals, memory, time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import shop

import unsite


def run(code: str, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env={**os.environ, **more}, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_starts_nothing_and_loads_little() -> None:
    said = run(
        "import os, sys; import unsite; print(len(os.listdir('/proc/self/task')), "
        "[name for name in ('pyarrow', 'pandas', 'numpy', 'sklearn', 'scrapy', 'pyspark') if name in sys.modules])"
    )
    assert said.strip() == "1 []"


def test_a_hundred_forks_extract(wrapper: unsite.Wrapper, pages: list[shop.Page]) -> None:
    # The parent has threads of its own before it forks.
    expected = wrapper.extract_rows(pages, threads=2).num_rows
    assert len(wrapper.extract(pages, threads=2)) > 3
    for _ in range(100):
        child = os.fork()
        if child == 0:
            done = wrapper.extract_rows(pages, threads=2).num_rows
            os._exit(0 if done == expected else 1)
        deadline = time.monotonic() + 120
        while True:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                pytest.fail("a forked child hangs")
            time.sleep(0.005)
        assert os.waitstatus_to_exitcode(status) == 0


def test_a_forked_child_discovers(pages: list[shop.Page], site: unsite.Site) -> None:
    unsite.discover(pages, threads=2)
    child = os.fork()
    if child == 0:
        again = unsite.discover(pages, threads=2)
        os._exit(0 if len(again.tables) == len(site.tables) else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_ctrl_c_is_heard(tmp_path: Path) -> None:
    """The signal comes while thousands of pages are being learned from: long before the end."""
    shop.write_jsonl(tmp_path / "many.jsonl", shop.pages(3000))
    code = (
        "import time, unsite\n"
        "told = lambda stage, done, total: print(stage, flush=True) if stage == 'discovering' else None\n"
        "try:\n"
        f"    unsite.discover({str(tmp_path / 'many.jsonl')!r}, progress=told)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "discovering"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().strip() == "interrupted"
        assert process.wait(timeout=120) == 0


def test_other_threads_go_on(pages: list[shop.Page]) -> None:
    """A counter counts while pages are learned from: the interpreter is free."""
    import threading

    counted, done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    unsite.discover(pages * 3, threads=1)
    done.set()
    counter.join()
    assert counted > 3


def test_memory_does_not_grow_with_pages(wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    """Rows of many pages are read as they are asked for: the most memory of many pages is that of a quarter of them."""
    most = 100_000 if os.environ.get("UNSITE_SLOW") else 12_000
    wrapper.save(tmp_path / "w.unsite")
    code = (
        "import itertools, resource, sys, unsite\n"
        "sys.path.insert(0, sys.argv[1]) if len(sys.argv) > 1 else None\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import shop\n"
        f"wrapper = unsite.Wrapper.open({str(tmp_path / 'w.unsite')!r})\n"
        "pages = shop.pages(60)\n"
        "def read(count):\n"
        "    some = itertools.islice(itertools.cycle(pages), count)\n"
        "    rows = sum(batch.num_rows for batch in wrapper.batches(some))\n"
        "    return rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"few, many = read({most // 4}), read({most})\n"
        "print(many[0] / few[0], many[1] - few[1])\n"
    )
    ratio, grown = run(code).split()
    assert 3.9 < float(ratio) < 4.1
    assert int(grown) < 16_000
