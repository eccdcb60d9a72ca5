"""Bad input: an exception that says what to do, or a problem row; never an abort."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
import shop

import unsite


@pytest.mark.parametrize(
    "given",
    [None, 7, b"<html>", {"url": "http://a", "html": "x"}, [None], [7], [("http://a",)], [("http://a", None)],
     [(None, "x")], [("http://a", 3)], [{"url": "http://a"}], ["<p>text"], object()],
)
def test_what_is_no_page_is_named(given: Any, wrapper: unsite.Wrapper) -> None:
    for use in (unsite.discover, unsite.Source, wrapper.extract, wrapper.extract_rows, wrapper.check):
        with pytest.raises(unsite.PageError) as caught:
            use(given)
        assert "url" in caught.value.advice and caught.value.what


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(unsite.SourceError, match="no such file") as caught:
        unsite.discover(tmp_path / "none.warc.gz")
    assert caught.value.where == str(tmp_path / "none.warc.gz") and "spelling" in caught.value.advice
    with pytest.raises(unsite.SourceError, match="unsite crawl"):
        unsite.discover("https://shop.test/")
    (tmp_path / "empty").mkdir()
    with pytest.raises(unsite.NoPagesError):
        unsite.discover(tmp_path / "empty")
    with pytest.raises(unsite.NoPagesError):
        unsite.discover([])
    with pytest.raises(unsite.NoPagesError):
        unsite.learn([])


def test_wrappers_that_cannot_be_used_are_refused(wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    text = wrapper.to_text()
    for name, wrong, said in [
        ("newer", text.replace('"version": 1', '"version": 2', 1), "newer unsite"),
        ("cut", text[: len(text) // 2], "cut off"),
        ("other", "{}", "not a wrapper file"),
        ("nonsense", "\x00\x01", "not a wrapper file"),
    ]:
        assert wrong != text
        (tmp_path / name).write_text(wrong)
        with pytest.raises(unsite.WrapperError, match=said) as caught:
            unsite.Wrapper.open(tmp_path / name)
        assert caught.value.where == str(tmp_path / name)
        with pytest.raises(unsite.WrapperError, match=said):
            unsite.Wrapper.from_text(wrong)
    with pytest.raises(unsite.WrapperError):
        unsite.Wrapper.open(tmp_path / "none")
    with pytest.raises(unsite.WrapperError, match="no folder"):
        wrapper.save(tmp_path / "none" / "w.unsite")


def test_a_truncated_archive_gives_what_can_be_read(warc: Path, wrapper: unsite.Wrapper, tmp_path: Path) -> None:
    whole = warc.read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) * 2 // 3])
    site = unsite.discover(tmp_path / "cut.warc.gz")
    assert site.problems and 40 < site.pages < 74
    rows = [row for batch in wrapper.batches(tmp_path / "cut.warc.gz") for row in [batch.num_rows]]
    assert sum(rows) > 40


def test_outputs_that_cannot_be_written_are_refused(site: unsite.Site, tmp_path: Path) -> None:
    with pytest.raises(unsite.OutputError, match="no folder"):
        site.to_sqlite(tmp_path / "none" / "site.db")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(unsite.OutputError, match="not from here"):
        site.to_parquet(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "mine"
    with pytest.raises(unsite.OutputError, match="known endings"):
        site.wrapper.extract_to([shop.book(1)], tmp_path / "site.xlsx")


def test_numbers_that_make_no_sense(pages: list[shop.Page]) -> None:
    with pytest.raises(unsite.UnsiteError, match="threads is 0"):
        unsite.discover(pages, threads=0)
    with pytest.raises(OverflowError):
        unsite.discover(pages, sample=-1)


def test_hostile_pages_are_read(wrapper: unsite.Wrapper) -> None:
    nasty = [
        ("http://shop.test/book/1.html", b"\x00\xff" * 5000),
        ("http://shop.test/book/2.html", "<div>" * 50_000),
        ("not an address", "<h1>\ud800</h1>"),
        ("", "<p>x"),
    ]
    assert len(wrapper.classify(nasty)) == 4
    assert wrapper.extract_rows(nasty).num_rows >= 4


def test_exceptions_travel(wrapper: unsite.Wrapper) -> None:
    error = unsite.SourceError("nothing there", "a.warc", "look elsewhere")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (again.what, again.where, again.advice) == ("nothing there", "a.warc", "look elsewhere")
        assert str(again) == "nothing there (a.warc). Look elsewhere"
    assert issubclass(unsite.NoPagesError, unsite.UnsiteError) and issubclass(unsite.PageError, ValueError)
