"""What docstrings show is true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import pipelines
from pipelines.github.models import RESOURCES

MODULES = sorted(
    one.name
    for one in pkgutil.walk_packages(pipelines.__path__, "pipelines.")
    if not one.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_every_example_gives_what_it_shows(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_readme_has_a_row_for_every_list_that_is_read() -> None:
    page = Path(pipelines.__path__[0], "github", "README.md").read_text("utf-8")
    for resource in RESOURCES:
        row = f"`{resource.table}` | repository, {resource.key} |"
        assert row in page
        assert f"}}{resource.path.split('?')[0]}" in page


def test_every_test_that_the_readme_names_exists() -> None:
    here = Path(__file__).parent
    page = (here / "README.md").read_text("utf-8")
    code = "".join(one.read_text("utf-8") for one in here.glob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", page))
    assert len(named) > 20
    assert {name for name in named if f"def {name}(" not in code} == set()
