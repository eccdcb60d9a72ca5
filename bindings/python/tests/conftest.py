"""What the tests share: a shop, a wrapper of it, and the command line where it was built."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import shop

import unsite

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def pages() -> list[shop.Page]:
    return shop.pages()


@pytest.fixture(scope="session")
def warc(tmp_path_factory: pytest.TempPathFactory, pages: list[shop.Page]) -> Path:
    path = tmp_path_factory.mktemp("warc") / "shop.warc.gz"
    shop.write_warc(path, pages)
    return path


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop on two days, before and after it was built anew."""
    path = tmp_path_factory.mktemp("captures") / "shop.warc.gz"
    days = {"2019-01-01": [shop.book(n) for n in range(60)], "2020-01-01": [shop.book(n, changed=True) for n in range(60)]}
    with path.open("wb") as file:
        for day, pages in days.items():
            for at, (url, html) in enumerate(pages):
                date = f"{day}T08:{at // 60:02}:{at % 60:02}Z"
                file.write(shop.record(url, html.encode(), len(url) * at, date=date))
    return path


@pytest.fixture(scope="session")
def site(warc: Path) -> unsite.Site:
    return unsite.discover(warc)


@pytest.fixture(scope="session")
def wrapper(site: unsite.Site) -> unsite.Wrapper:
    return site.wrapper


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """The command line: ``UNSITE_PROGRAM``, or what cargo built last."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = Path(os.environ.get("UNSITE_PROGRAM", target / "release" / "unsite"))
    if not path.is_file():
        pytest.skip("the command line is not built: cargo build --release -p unsite")

    def run(*args: object, exits: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run([path, *map(str, args)], capture_output=True, text=True, check=False)
        assert done.returncode in exits, done.stderr
        return done.stdout

    return run
