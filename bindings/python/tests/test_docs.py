"""The code in the documents runs as it stands."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[3] / "docs"


def blocks(document: str) -> str:
    """All Python of a document as one program whose line numbers are those of the document."""
    lines, inside = [], False
    for line in (DOCS / document).read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines)


def run(document: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **known: Any) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    program = folder / document.replace(".md", ".py")
    program.write_text(blocks(document))
    return runpy.run_path(str(program), init_globals=known)


def test_the_code_of_python_md(warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("polars", "pyarrow", "duckdb", "pandas", "sklearn"):
        pytest.importorskip(name)
    shutil.copy(warc, tmp_path / "shop.warc.gz")
    after = run("python.md", tmp_path, monkeypatch)
    assert after["books"].height == 60 and (tmp_path / "shop.db").is_file()
    assert not after["report"].has_changed and len(after["frame"]) == 60


def test_the_tutorial_has_ten_lines() -> None:
    first = re.search(r"## From an archive.*?```python\n(.*?)```", (DOCS / "python.md").read_text(), re.DOTALL)
    assert first is not None
    assert len([line for line in first.group(1).splitlines() if line]) <= 10
