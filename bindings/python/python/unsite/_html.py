"""How things show themselves in a notebook. Everything that comes from a site is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unsite._internal import Site, Table, Wrapper

# Rows and columns of a table that are shown; wide and long tables are for data frames.
_ROWS = 5
_COLUMNS = 8
# Characters of a value.
_WIDTH = 40
# Tables whose rows are shown, and that are drawn: more would not be looked at.
_TABLES = 8
_DRAWN = 24

# Dates and numbers with signs in them stay in one line; long texts are cut anyway.
_CELL = "text-align:left;white-space:nowrap"

_BOX_WIDTH = 190
_BOX_HEIGHT = 54
_GAP = 60
# Between boxes beside each other, and where lines go around.
_SIDE = 40


def _short(value: object) -> str:
    if value is None:
        return "<span style='opacity:.5'>·</span>"
    text = str(value)
    return escape(text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…")


def _grid(names: list[str], rows: list[list[object]]) -> str:
    head = "".join(f"<th style='text-align:left'>{_short(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td style='{_CELL}'>{_short(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    rows_and_head = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"<div style='overflow-x:auto'><table>{rows_and_head}</table></div>"


def table(shown: Table) -> str:
    """A table with its first rows."""
    keys = {"id", *shown.keys}
    names = [name for name in shown.column_names if name not in keys][:_COLUMNS]
    more = len(shown.column_names) - len(keys) - len(names)
    rows = [[row[name] for name in names] for row in shown.to_pylist(_ROWS)]
    tail = f" and {more} more columns" if more > 0 else ""
    return f"<p><b>{escape(shown.name)}</b>: {len(shown):,} rows{tail}</p>{_grid(names, rows)}"


def wrapper(shown: Wrapper) -> str:
    """The page types and the columns of a wrapper."""
    types = [[t["name"], t["pages"], t["role"], t["url_pattern"]] for t in shown.page_types]
    columns = [
        [name, ", ".join(f"{c['name']} {c['type']}" for c in of_table[:_COLUMNS])]
        for name, of_table in shown.tables.items()
    ]
    head = f"<p><b>{escape(str(shown.provenance['source']))}</b></p>"
    return head + _grid(["page type", "pages", "role", "URLs"], [list(t) for t in types]) + _grid(
        ["table", "columns"], [list(c) for c in columns]
    )


def site(shown: Site) -> str:
    """A site: its page types, how its tables hang together, and their first rows."""
    tables = {name: t for name, t in shown.tables.items() if not name.startswith("_")}
    types: list[list[object]] = [[t["name"], t["pages"], t["role"], t["url_pattern"]] for t in shown.page_types]
    largest = sorted(tables.values(), key=len, reverse=True)[:_TABLES]
    head = f"<p><b>{shown.pages:,} pages</b>, {len(types)} page types, {len(tables)} tables</p>"
    rest = len(tables) - len(largest)
    tail = f"<p>and {rest} more tables</p>" if rest > 0 else ""
    return (
        head
        + _grid(["page type", "pages", "role", "URLs"], types)
        + _diagram(tables)
        + "".join(table(t) for t in largest)
        + tail
    )


def _layers(names: list[str], links: list[tuple[str, str]]) -> dict[str, int]:
    """How far below the others each table stands: below all that it refers to, but for links that lead round in a circle."""
    layer: dict[str, int] = {}
    open_now: set[str] = set()

    def place(name: str) -> int:
        if name not in layer:
            open_now.add(name)
            above = [place(to) for of, to in links if of == name and to not in open_now]
            open_now.discard(name)
            layer[name] = 1 + max(above, default=-1)
        return layer[name]

    for name in names:
        place(name)
    return layer


def _line(of: tuple[int, int], to: tuple[int, int]) -> str:
    """From a table to one that it refers to: straight up where that stands above it, else around on the right."""
    (x1, y1), (x2, y2) = of, to
    if y2 < y1:
        x1, x2, y2, bend = x1 + _BOX_WIDTH // 2, x2 + _BOX_WIDTH // 2, y2 + _BOX_HEIGHT, (y1 + y2 + _BOX_HEIGHT) // 2
        return f"M{x1} {y1} C{x1} {bend} {x2} {bend} {x2} {y2}"
    x1, x2, y1, y2 = x1 + _BOX_WIDTH, x2 + _BOX_WIDTH, y1 + _BOX_HEIGHT // 2, y2 + _BOX_HEIGHT // 2
    out = max(x1, x2) + _SIDE
    return f"M{x1} {y1} C{out} {y1} {out} {y2} {x2} {y2}"


def _diagram(tables: dict[str, Table]) -> str:
    """The tables as boxes, each below the ones that it refers to, and a line for each key."""
    drawn = dict(list(tables.items())[:_DRAWN])
    links = [(name, to) for name, t in drawn.items() for to, _ in t.keys.values() if to in drawn and to != name]
    layer = _layers(list(drawn), links)
    places: dict[str, tuple[int, int]] = {}
    for name, level in sorted(layer.items(), key=lambda item: item[1]):
        along = sum(1 for other in places if layer[other] == level)
        places[name] = (10 + along * (_BOX_WIDTH + _SIDE), 10 + level * (_BOX_HEIGHT + _GAP))
    if not places:
        return ""
    width = max(x for x, _ in places.values()) + _BOX_WIDTH + _SIDE
    height = max(y for _, y in places.values()) + _BOX_HEIGHT + 10
    parts: list[str] = []
    for of, to in dict.fromkeys(links):
        parts.append(f"<path d='{_line(places[of], places[to])}' fill='none' stroke='#4a78b5'/>")
    for name, (x, y) in places.items():
        columns = len(drawn[name].column_names) - len(drawn[name].keys) - 1
        parts.append(
            f"<rect x='{x}' y='{y}' width='{_BOX_WIDTH}' height='{_BOX_HEIGHT}' rx='4' fill='Canvas' stroke='#8896a5'/>"
            f"<text x='{x + 10}' y='{y + 22}' font-weight='bold' fill='CanvasText'>{_short(name[:24])}</text>"
            f"<text x='{x + 10}' y='{y + 42}' fill='CanvasText'>{len(drawn[name]):,} rows, {columns} columns</text>"
        )
    style = "font:13px sans-serif;max-width:100%"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' style='{style}' "
        f"role='img' aria-label='Tables and their keys'>{''.join(parts)}</svg>"
    )
