"""Discovery: whatever pages come in, what is learned is what the command line learns."""

from __future__ import annotations

import json
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shop

import unsite

Program = Callable[..., str]


def normal(wrapper: unsite.Wrapper) -> Any:
    """A wrapper without the name of what it was learned from."""
    text = json.loads(wrapper.to_text())
    del text["provenance"]["source"]
    return text


def test_the_wrapper_is_byte_for_byte_that_of_the_command_line(
    warc: Path, wrapper: unsite.Wrapper, program: Program, tmp_path: Path
) -> None:
    program("learn", warc, "-w", tmp_path / "cli.unsite")
    wrapper.save(tmp_path / "python.unsite")
    assert (tmp_path / "python.unsite").read_bytes() == (tmp_path / "cli.unsite").read_bytes()


@pytest.mark.parametrize("sample", [20, 2000])
def test_a_sample_is_learned_from_as_the_command_line_does(
    warc: Path, program: Program, tmp_path: Path, sample: int
) -> None:
    program("learn", warc, "-w", tmp_path / "cli.unsite", "--sample", sample, "--seed", 7)
    site = unsite.discover(str(warc), sample=sample, seed=7, threads=1)
    assert site.wrapper.to_text() == (tmp_path / "cli.unsite").read_text()
    assert site.learned_from == min(sample, site.pages)


def test_pages_may_come_in_whatever_a_program_has_them_in(pages: list[shop.Page], tmp_path: Path) -> None:
    polars, pyarrow, pandas = (pytest.importorskip(name) for name in ("polars", "pyarrow", "pandas"))
    columns = {"url": [url for url, _ in pages], "html": [html for _, html in pages]}
    shop.write_jsonl(tmp_path / "shop.jsonl", pages)

    def batches() -> Iterator[Any]:
        for batch in pyarrow.table(columns).to_batches(max_chunksize=7):
            yield batch

    ways: dict[str, Any] = {
        "dicts": [{"url": url, "html": html} for url, html in pages],
        "bytes": [(url, html.encode()) for url, html in pages],
        "iterator": iter(pages),
        "arrow": pyarrow.table(columns),
        "arrow views": pyarrow.table(
            {name: pyarrow.array(values, pyarrow.string_view()) for name, values in columns.items()}
        ),
        "arrow bytes": pyarrow.table({"url": columns["url"], "html": [html.encode() for html in columns["html"]]}),
        "batches": batches(),
        "polars": polars.DataFrame(columns),
        "pandas": pandas.DataFrame(columns),
        "source": unsite.Source(pages),
    }
    expected = normal(unsite.discover(pages).wrapper)
    for name, given in ways.items():
        assert normal(unsite.discover(given).wrapper) == expected, name
    lines = normal(unsite.discover(tmp_path / "shop.jsonl").wrapper)
    assert lines["wrapper"]["schema"] == expected["wrapper"]["schema"]


def test_columns_may_have_other_names(pages: list[shop.Page]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"at": [url for url, _ in pages], "body": [html for _, html in pages]})
    named = unsite.discover(table, url="at", html="body")
    assert normal(named.wrapper) == normal(unsite.discover(pages).wrapper)
    with pytest.raises(unsite.PageError, match="no column \"html\"; its columns are at, body"):
        unsite.discover(table, url="at")


def dump(path: Path) -> list[str]:
    with sqlite3.connect(path) as db:
        return list(db.iterdump())


def test_outputs_are_those_of_the_command_line(
    site: unsite.Site, warc: Path, program: Program, tmp_path: Path
) -> None:
    program("run", warc, "-o", tmp_path / "cli.db")
    program("run", warc, "-o", f"{tmp_path / 'cli.parquet'}/")
    assert Path(site.to_sqlite(tmp_path / "python.db")) == tmp_path / "python.db"
    assert dump(tmp_path / "python.db") == dump(tmp_path / "cli.db")
    folder = Path(site.to_parquet(tmp_path / "python"))
    assert folder == tmp_path / "python"
    files = sorted(file.name for file in folder.glob("*.parquet"))
    assert files == sorted(file.name for file in (tmp_path / "cli.parquet").glob("*.parquet"))
    for name in files:
        assert (folder / name).read_bytes() == (tmp_path / "cli.parquet" / name).read_bytes(), name


def test_tables_are_those_of_parquet_cell_by_cell(
    site: unsite.Site, warc: Path, program: Program, tmp_path: Path
) -> None:
    parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    program("run", warc, "-o", f"{tmp_path / 'cli.parquet'}/")
    assert "book" in site.tables and len(site.tables) > 4
    for name, table in site.tables.items():
        assert pyarrow.table(table).equals(parquet.read_table(tmp_path / "cli.parquet" / f"{name}.parquet")), name


def test_extraction_is_that_of_the_command_line(
    wrapper: unsite.Wrapper, program: Program, tmp_path: Path
) -> None:
    parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    new = [shop.book(n) for n in range(60, 90)]
    shop.write_warc(tmp_path / "new.warc.gz", new)
    wrapper.save(tmp_path / "w.unsite")
    program("extract", tmp_path / "new.warc.gz", "-w", tmp_path / "w.unsite", "-o", f"{tmp_path / 'cli.parquet'}/")
    for threads in (1, 3):
        for name, table in wrapper.extract(tmp_path / "new.warc.gz", threads=threads).items():
            assert pyarrow.table(table).equals(parquet.read_table(tmp_path / "cli.parquet" / f"{name}.parquet")), name


def test_a_wrapper_is_saved_opened_and_pickled(wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    wrapper.save(tmp_path / "w.unsite")
    again = unsite.Wrapper.open(tmp_path / "w.unsite")
    assert again == wrapper == pickle.loads(pickle.dumps(wrapper)) == unsite.Wrapper.from_text(wrapper.to_text())
    assert wrapper != unsite.discover(shop.pages(30)).wrapper
    assert {"book", "author"} <= {t["name"] for t in wrapper.page_types}
    assert "published" in [column["name"] for column in wrapper.tables["book"]]


def test_one_page_is_read_and_explained(wrapper: unsite.Wrapper) -> None:
    page = shop.book(4)
    read = wrapper.read(page)
    assert read["page_type"] == "book"
    values = next(row["values"] for row in read["rows"] if row["table"] == "book")
    assert str(values["published"]) == shop.DAYS[4]
    receipt = wrapper.why(page, "book", 0, "published")
    assert receipt["values"][0]["value"] == shop.DAYS[4]
    assert receipt["values"][0]["path"].startswith("html/body")
    with pytest.raises(unsite.UnsiteError, match="no column \"colour\".*Its columns are"):
        wrapper.why(page, "book", 0, "colour")


def test_progress_is_told(pages: list[shop.Page]) -> None:
    told: list[tuple[str, int, int | None]] = []
    unsite.discover(pages, progress=lambda *stand: told.append(stand))
    assert {"reading", "discovering", "remembering"} <= {stage for stage, _, _ in told}
    assert ("reading", len(pages), None) in told

    def stop(*stand: object) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        unsite.discover(pages, progress=stop)


def test_drift_is_noticed_and_repaired(wrapper: unsite.Wrapper, pages: list[shop.Page]) -> None:
    same = wrapper.check(pages)
    assert not same.has_changed and same.pages == len(pages) and same.set_aside == 0
    changed = [shop.book(n, changed=True) for n in range(60)]
    report = wrapper.check(changed)
    assert report.has_changed and report.findings[0]["chance"] < 1e-5
    watch = wrapper.watch()
    for page in changed:
        watch.add(page)
    assert watch.report().findings == report.findings
    with pytest.warns(unsite.DriftWarning):
        wrapper.extract(changed)
    repaired = wrapper.repair(changed)
    read = repaired.read(changed[4])
    values = next(row["values"] for row in read["rows"] if row["table"] == "book")
    assert str(values["published"]) == shop.DAYS[4]
    assert wrapper.repair(pages) == wrapper
    with pytest.raises(unsite.RepairError):
        wrapper.repair([(f"http://other.test/{n}", f"<p>{n}<p>nothing known") for n in range(40)])
