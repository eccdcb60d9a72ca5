"""What people change by hand, from Python: the log of the command line, and every way of reading honours it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shop

import unsite
from same import of_one_machine, of_rows

Program = Callable[..., str]


@pytest.fixture(scope="module")
def edited(wrapper: unsite.Wrapper) -> unsite.Wrapper:
    return wrapper.rename({"book.published": "came_out"}).drop("book.isbn").retype({"book.pages": "text"})


def value(read: dict[str, Any], table: str, column: str) -> Any:
    return next(row["values"][column] for row in read["rows"] if row["table"] == table and column in row["values"])


def test_edits_make_another_wrapper(wrapper: unsite.Wrapper, edited: unsite.Wrapper) -> None:
    names = [column["name"] for column in edited.tables["book"]]
    assert "came_out" in names and not {"published", "isbn"} & set(names)
    assert "published" in [column["name"] for column in wrapper.tables["book"]] and wrapper.edits == []
    read = edited.read(shop.book(4))
    assert str(value(read, "book", "came_out")) == shop.DAYS[4] and value(read, "book", "pages") == str(120 + 4 * 7)
    assert edited.why(shop.book(4), "book", 0, "came_out")["values"][0]["value"] == shop.DAYS[4]
    assert edited.layout != wrapper.layout and edited != wrapper


def test_the_log_is_data(wrapper: unsite.Wrapper, edited: unsite.Wrapper, tmp_path: Path) -> None:
    assert [next(iter(set(step) - {"seen"})) for step in edited.edits] == ["rename_column", "drop_column", "retype_column"]
    assert wrapper.edit(edited.edits) == edited
    (tmp_path / "edits.json").write_text(json.dumps(edited.edits))
    assert wrapper.edit(tmp_path / "edits.json") == wrapper.edit(str(tmp_path / "edits.json")) == edited
    one = wrapper.edit({"rename_table": {"table": "book", "to": "volume"}})
    assert "volume" in one.tables and "book" not in one.tables
    assert one == wrapper.rename({"book": "volume"})
    edited.save(tmp_path / "w.unsite")
    assert unsite.Wrapper.open(tmp_path / "w.unsite") == edited == pickle.loads(pickle.dumps(edited))


def test_edits_are_undone(wrapper: unsite.Wrapper, edited: unsite.Wrapper) -> None:
    assert edited.undo(3).to_text() == wrapper.to_text()
    assert "isbn" in [column["name"] for column in edited.undo(2).tables["book"]]
    assert edited.forget(2).undo() == wrapper.rename({"book.published": "came_out"})
    assert edited.undo(0) == edited
    with pytest.raises(unsite.EditError, match="4 edits cannot be undone.*The log has 3 edits"):
        edited.undo(4)
    with pytest.raises(unsite.EditError, match="there is no edit 0"):
        edited.forget(0)


def test_each_kind_has_a_name(wrapper: unsite.Wrapper) -> None:
    told = [
        wrapper.drop("book", "author.born"),
        wrapper.rename({"book": "volume", "book.pages": "length", "type:book": "volume"}),
        wrapper.split("book.title", "River", ["mood", "number"]),
        wrapper.wrong("book.published", shop.DAYS[4]),
        wrapper.wrong("book.published", shop.DAYS[4], "http://shop.test/book/4.html"),
        wrapper.merge({"book.isbn": "book.pages"}),
    ]
    kinds = [[next(iter(set(step) - {"seen"})) for step in one.edits] for one in told]
    assert kinds == [
        ["drop_table", "drop_column"],
        ["rename_column", "rename_table", "rename_page_type"],
        ["split_column"],
        ["wrong_value"],
        ["wrong_value"],
        ["merge_columns"],
    ]
    assert "volume" in [t["name"] for t in told[1].page_types] and told[1].classify([shop.book(1)]) == ["volume"]
    assert value(told[2].read(shop.book(4)), "book", "number") == "4"
    reviews = next(name for name in wrapper.tables if "review" in name)
    assert reviews not in wrapper.not_rows(reviews).tables
    hidden = wrapper.drop("book.isbn")
    with pytest.raises(unsite.EditError):
        hidden.drop("book.nothing")


def test_wrong_edits_change_nothing_and_say_why(wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    with pytest.raises(unsite.EditError, match='no table "nav"') as caught:
        wrapper.drop("book.isbn", "nav")
    assert caught.value.where == "drop table nav" and "book" in caught.value.advice
    assert isinstance(caught.value, ValueError)
    with pytest.raises(unsite.EditError, match="there is no type"):
        wrapper.retype({"book.pages": "colour"})
    with pytest.raises(unsite.EditError, match="is no column"):
        wrapper.retype({"book": "text"})
    with pytest.raises(unsite.EditError, match="cannot be restored"):
        wrapper.restore("type:book")
    for nonsense in ([{"drop": "nav"}], [3], {"edits": 3}, [{"drop_table": {"table": {1, 2}}}], 3):
        with pytest.raises(unsite.EditError):
            wrapper.edit(nonsense)  # type: ignore[arg-type]
    with pytest.raises(unsite.EditError, match="cannot be read"):
        wrapper.edit(tmp_path / "none.json")
    (tmp_path / "no.json").write_text("[")
    with pytest.raises(unsite.EditError, match="not JSON"):
        wrapper.edit(tmp_path / "no.json")


def test_edits_of_another_wrapper_stay_where_they_cannot_be_made(wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    edits = [*wrapper.drop("book.isbn").edits, {"drop_table": {"table": "nav"}}]
    with pytest.raises(unsite.EditError):
        wrapper.edit(edits)
    with pytest.warns(unsite.EditWarning, match=r"edit 2 is not made \(drop table nav\): there is no table"):
        kept = wrapper.edit(edits, strict=False)
    assert [(one["number"], one["edit"]) for one in kept.not_made] == [(2, "drop table nav")]
    assert "isbn" not in [column["name"] for column in kept.tables["book"]]
    kept.save(tmp_path / "w.unsite")
    with pytest.warns(unsite.EditWarning):
        unsite.Wrapper.open(tmp_path / "w.unsite")
    assert kept.forget(2).not_made == []


def test_the_log_is_that_of_the_command_line(
    wrapper: unsite.Wrapper, edited: unsite.Wrapper, program: Program, tmp_path: Path
) -> None:
    wrapper.save(tmp_path / "w.unsite")
    flags = ["--rename", "book.published=came_out"], ["--drop", "book.isbn"], ["--type", "book.pages=text"]
    for one in flags:
        program("edit", tmp_path / "w.unsite", *one)
    assert (tmp_path / "w.unsite").read_text() == edited.to_text()


def parquet_of(program: Program, wrapper: unsite.Wrapper, source: Path, folder: Path) -> dict[str, Any]:
    """The tables that the command line extracts."""
    parquet = pytest.importorskip("pyarrow.parquet")
    wrapper.save(folder / "w.unsite")
    program("extract", source, "-w", folder / "w.unsite", "-o", f"{folder / 'out.parquet'}/", exits=(0, 4))
    return {file.stem: parquet.read_table(file) for file in (folder / "out.parquet").glob("*.parquet")}


def all_ways_equal(program: Program, wrapper: unsite.Wrapper, source: Path, folder: Path) -> dict[str, Any]:
    """Whole tables, batches, single batches and single pages say what ``unsite extract`` says, cell by cell."""
    pa = pytest.importorskip("pyarrow")
    expected = parquet_of(program, wrapper, source, folder)
    tables = wrapper.extract(source)
    assert set(tables) == {name for name in expected if name in tables} and len(tables) > 2
    for name, table in tables.items():
        assert pa.table(table).equals(expected[name]), name
    wanted = of_one_machine(tables)
    rows = [row for batch in wrapper.batches(source, size=20) for row in pa.record_batch(batch).to_pylist()]
    assert of_rows(list(wrapper.layout), rows) == wanted
    batches = [pa.record_batch(batch) for batch in unsite.Source(source).batches(1)]
    single = [row for batch in batches for row in pa.record_batch(wrapper.extract_rows(batch)).to_pylist()]
    assert single == rows
    for batch in batches[::7]:
        read = wrapper.read(batch)
        mine = [row for row in pa.record_batch(wrapper.extract_rows(batch)).to_pylist() if not row["table"].startswith("_")]
        assert [(row["table"], row["row"], set(row["values"])) for row in read["rows"]] == [
            (row["table"], row["row"], set(dict(row["values"]))) for row in mine
        ]
        assert [read["page_type"]] == wrapper.classify(batch)
    return expected


def test_whole_tables_batches_and_pages_honour_edits(
    edited: unsite.Wrapper, warc: Path, program: Program, tmp_path: Path
) -> None:
    many = edited.rename({"book": "volume", "author": "writer"}).wrong("volume.came_out", shop.DAYS[0])
    expected = all_ways_equal(program, many, warc, tmp_path)
    assert "came_out" in expected["volume"].column_names and "writer" in expected
    assert expected["volume"]["came_out"].null_count == 12


def test_whole_tables_batches_and_pages_honour_earlier_designs(
    captures: Path, program: Program, tmp_path: Path
) -> None:
    wrapper = unsite.discover(captures).wrapper
    program("learn", captures, "-w", tmp_path / "cli.unsite")
    assert wrapper.to_text() == (tmp_path / "cli.unsite").read_text()
    assert len(json.loads(wrapper.to_text())["older_designs"]) == 1
    expected = all_ways_equal(program, wrapper, captures, tmp_path)
    assert None not in expected["_pages"]["page_type"].to_pylist()
    old, new = ((url, html) for url, html in (shop.book(4), shop.book(4, changed=True)))
    table, column = next(
        (name, column)
        for name, info in wrapper.tables.items()
        for column in [c["name"] for c in info]
        if any(str(row["values"].get(column)) == shop.DAYS[4] for row in wrapper.read(new)["rows"] if row["table"] == name)
    )
    receipts = [wrapper.why(page, table, 0, column) for page in (old, new)]
    assert [receipt["values"][0]["value"] for receipt in receipts] == [shop.DAYS[4]] * 2
    assert [receipt["page"]["design"] for receipt in receipts] == [1, 0]
    for receipt, own in zip(receipts, ("table.facts", "section.new")):
        assert own in receipt["found_by"]["selector"] and own in str(receipt["routes"]), receipt
    watch = wrapper.watch()
    assert [watch.add(page) for page in (old, new)] == wrapper.classify([old, new]) != [None, None]
    both = tmp_path / "both"
    both.mkdir()
    all_ways_equal(program, wrapper.rename({f"{table}.{column}": "came_out"}), captures, both)


def test_a_site_is_read_with_an_edited_wrapper(site: unsite.Site, tmp_path: Path) -> None:
    after = site.with_wrapper(site.wrapper.rename({"book": "volume"}))
    assert len(after.tables["volume"]) == 60 and "book" in site.tables
    assert after.pages == site.pages
    after.to_sqlite(tmp_path / "shop.db")
    assert "volume" in after._repr_html_()


def test_a_repair_keeps_edits(wrapper: unsite.Wrapper) -> None:
    changed = [shop.book(n, changed=True) for n in range(60)]
    repaired = wrapper.rename({"book.published": "came_out"}).repair(changed)
    assert str(value(repaired.read(changed[4]), "book", "came_out")) == shop.DAYS[4]
    assert len(repaired.edits) == 1
