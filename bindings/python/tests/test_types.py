"""The stubs say what is there, and the package is typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import unsite

CONFIG = Path(__file__).resolve().parents[1] / "pyproject.toml"


def check(*args: str) -> None:
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_complete() -> None:
    check("mypy.stubtest", "unsite._internal", "--mypy-config-file", str(CONFIG))


def test_the_package_is_typed() -> None:
    check("mypy", "--config-file", str(CONFIG), "-p", "unsite")


def test_everything_public_has_a_name() -> None:
    assert all(hasattr(unsite, name) for name in unsite.__all__)
    assert unsite.__version__.count(".") == 2
