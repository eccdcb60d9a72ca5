"""Whether tables say the same, whatever numbers their rows have."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

import unsite

#: A row as what it says: its values, the address of its page, and the row that it belongs to as the same.
Content = tuple[Any, ...]


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
    known: dict[tuple[str, int], Content] = {}
    for table in layout:
        name, parent = table["name"], table["parent"]
        values = [column["name"] for column in table["columns"]]
        for row in frames[name].to_pylist():
            above = [known.get((parent[1], row[parent[0]]))] if parent else []
            known[name, row["id"]] = (pages[row["page_id"]], tuple(above), tuple((v, row[v]) for v in values))
    return sorted_rows(known, [table["name"] for table in layout])


def sorted_rows(known: dict[tuple[str, int], Content], names: list[str]) -> dict[str, list[Content]]:
    found: dict[str, list[Content]] = {name: [] for name in names}
    for (name, _), content in known.items():
        found[name].append(content)
    return {name: sorted(rows, key=repr) for name, rows in found.items()}
