"""Whether tables say the same, whatever numbers their rows have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pyarrow as pa

import unsite

#: A row as what it says: its values, the address of its page, and the row that it belongs to as the same.
Content = tuple[Any, ...]

Row = dict[str, Any]

#: From the texts of ``values`` to what a table holds.
CASTS: dict[str, Callable[[str], Any]] = {"int64": int, "float64": float, "string": str, "date": date.fromisoformat}


def of_one_machine(tables: dict[str, unsite.Table]) -> dict[str, list[Content]]:
    """The rows of tables of ``Wrapper.extract``, sorted."""
    pages = {row["id"]: row["url"] for row in tables["_pages"].to_pylist()}
    shown = {name: table for name, table in tables.items() if not name.startswith("_")}
    known: dict[tuple[str, int], Content] = {}
    for name, table in shown.items():
        # Keys beside links come from the links; parents stand before what belongs to them.
        parents = {key: to for key, (to, _) in table.keys.items() if key != "page_id" and is_parent(key, name, table)}
        values = [column for column in table.column_names if column != "id" and column not in table.keys]
        for row in table.to_pylist():
            above = [known.get((to, row[key])) for key, to in parents.items()]
            known[name, row["id"]] = (pages[row["page_id"]], tuple(above), tuple((v, row[v]) for v in values))
    return sorted_rows(known, list(shown))


def is_parent(key: str, name: str, table: unsite.Table) -> bool:
    """The key of the parent is the third column; keys of links stand behind their links."""
    return table.column_names.index(key) == 2


def of_frames(layout: list[Any], frames: dict[str, pa.Table], pages: dict[int, str]) -> dict[str, list[Content]]:
    """The rows of ``unsite.spark.tables``, collected, sorted. ``pages`` are the addresses of pages by their keys."""
    return of_lists(layout, {name: frame.to_pylist() for name, frame in frames.items()}, pages)


def of_lists(layout: list[Any], tables: dict[str, list[Row]], pages: dict[int, str]) -> dict[str, list[Content]]:
    known: dict[tuple[str, int], Content] = {}
    for table in layout:
        name, parent = table["name"], table["parent"]
        values = [column["name"] for column in table["columns"]]
        for row in tables[name]:
            above = [known.get((parent[1], row[parent[0]]))] if parent else []
            known[name, row["id"]] = (pages[row["page_id"]], tuple(above), tuple((v, row[v]) for v in values))
    return sorted_rows(known, [table["name"] for table in layout])


def of_rows(layout: list[Any], rows: list[Row]) -> dict[str, list[Content]]:
    """The tables that rows in the schema ``ROWS`` tell of, put together without an engine, sorted."""
    rows = newest(rows)
    tables: dict[str, list[Row]] = {}
    for table in layout:
        mine = [row for row in rows if row["table"] == table["name"]]
        groups: dict[Any, list[Row]] = {}
        for at, row in enumerate(mine):
            groups.setdefault(row["id"] if table["is_gathered"] else at, []).append(row)
        tables[table["name"]] = [together(table, group) for group in groups.values()]
    return of_lists(layout, tables, {row["page"]: row["url"] for row in rows if row["table"] == "_pages"})


def newest(rows: list[Row]) -> list[Row]:
    """Those of the newest capture of each address: what tables hold."""
    last: dict[str, str] = {}
    for row in rows:
        if row["captured"] is not None:
            last[row["url"]] = max(last.get(row["url"], ""), row["captured"])
    return [row for row in rows if row["captured"] is None or row["captured"] == last[row["url"]]]


def together(table: Any, rows: list[Row]) -> Row:
    """One row: what its own page says, and what that does not say from the first page that does."""
    rows = sorted(rows, key=lambda row: (row["url"], row["reference"], row["row"]))
    own = next((row for row in rows if not row["is_view"]), None)
    told = [own, *rows] if own else rows
    made = {"id": rows[0]["id"], "page_id": told[0]["page"]}
    if table["parent"]:
        made[table["parent"][0]] = next((row["parent_id"] for row in told if row["parent_id"] is not None), None)
    for column in table["columns"]:
        amount = column["beside"] or column["name"]
        says = next((dict(row["values"]) for row in told if amount in dict(row["values"])), {})
        value = says.get(column["name"])
        made[column["name"]] = None if value is None else CASTS[column["type"]](value)
    return made


def sorted_rows(known: dict[tuple[str, int], Content], names: list[str]) -> dict[str, list[Content]]:
    found: dict[str, list[Content]] = {name: [] for name in names}
    for (name, _), content in known.items():
        found[name].append(content)
    return {name: sorted(rows, key=repr) for name, rows in found.items()}
