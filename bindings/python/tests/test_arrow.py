"""Tables are taken over by the libraries that people use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import shop

import unsite


def test_libraries_read_the_tables(site: unsite.Site) -> None:
    pyarrow, polars, pandas, duckdb = (
        pytest.importorskip(name) for name in ("pyarrow", "polars", "pandas", "duckdb")
    )
    book = site.tables["book"]
    arrow = pyarrow.table(book)
    assert str(arrow.schema.field("published").type) == "date32[day]"
    assert arrow.num_rows == len(book) == 60 and arrow.column_names == book.column_names
    frame = polars.DataFrame(book)
    assert frame.shape == arrow.shape and frame["published"].dtype == polars.Date
    assert frame["published"].to_list() == arrow["published"].to_pylist()
    assert arrow.to_pandas()["id"].tolist() == list(range(1, 61))
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(book).shape == arrow.shape
    relation = duckdb.from_arrow(arrow)
    assert relation.aggregate("count(*), min(published)").fetchall() == [(60, min(arrow["published"].to_pylist()))]
    assert book.to_pylist() == arrow.to_pylist() and len(book.to_pylist(3)) == 3


def test_keys_lead_from_rows_to_rows(site: unsite.Site) -> None:
    review = next(table for name, table in site.tables.items() if "review" in name)
    key = next(column for column, (table, _) in review.keys.items() if table == "book")
    books = {row["id"] for row in site.tables["book"].to_pylist()}
    reviews = review.to_pylist()
    assert len(reviews) == sum(1 + n % 4 for n in range(60))
    assert {row[key] for row in reviews} == books
    assert review.keys["page_id"] == ("_pages", "id")


def test_rows_are_of_one_schema(wrapper: unsite.Wrapper, pages: list[shop.Page]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = pyarrow.record_batch(wrapper.extract_rows([*pages, ("http://shop.test/empty", "")]))
    assert rows.schema.equals(pyarrow.schema(unsite.ROWS)) and rows.schema.names == unsite.ROWS.names
    found = rows.to_pylist()
    assert sum(row["table"] == "_pages" for row in found) == len(pages)
    problem = next(row for row in found if row["table"] == "_problems")
    assert problem["url"] == "http://shop.test/empty" and "missing" in dict(problem["values"])["message"]
    book = next(row for row in found if row["table"] == "book" and row["url"].endswith("/4.html"))
    assert dict(book["values"])["published"] == shop.DAYS[4]
    assert any(cell["path"].startswith("html/body") for cell in book["cells"])
    lists = [row for row in found if row["parent"] is not None]
    places = {(row["page"], row["row"]): row["table"] for row in found if not row["table"].startswith("_")}
    assert lists and all((row["page"], row["parent"]) in places for row in lists)
    streamed = pyarrow.Table.from_batches(
        [pyarrow.record_batch(batch) for batch in wrapper.batches(iter(pages), size=10, threads=2)]
    )
    assert streamed.num_rows == rows.num_rows - 1
    assert streamed.combine_chunks().to_batches()[0].equals(rows.slice(0, streamed.num_rows))


def test_pages_go_out_and_come_in_again(warc: Path, wrapper: unsite.Wrapper) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    batches = [pyarrow.record_batch(batch) for batch in unsite.Source(warc).batches(16)]
    table = pyarrow.Table.from_batches(batches)
    assert table.schema.equals(pyarrow.schema(unsite.PAGES)) and batches[0].num_rows == 16
    assert table["captured"][0].as_py() == "2026-11-15T08:00:00Z" and table["status"][0].as_py() == 200
    learned = unsite.learn(table, name="shop.warc.gz")
    assert learned.to_text() == wrapper.to_text()


def test_it_works_without_pyarrow(warc: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None; sys.modules['pandas'] = None; import unsite; "
        f"site = unsite.discover({str(warc)!r}); print(len(site.tables['book'].to_pylist()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "60"


def test_things_show_themselves(site: unsite.Site) -> None:
    html = site._repr_html_()
    assert "<svg" in html and "60 rows" in html and "book" in html and "/book/*.html" in html
    assert "Wrapper(shop.warc.gz" in repr(site)
    nasty = unsite.discover([(f"http://a.test/{n}", f"<h1>{n} &lt;script&gt;</h1><p>Price: <b>{n}</b>") for n in range(9)])
    assert "<script>" not in nasty._repr_html_()
    assert site.wrapper._repr_html_().startswith("<p>")
