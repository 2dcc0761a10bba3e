"""dbt's exposures say which tables each section of the report rests on, as it is.

What a section reads is followed through the code: its templates name fields of the
report, `assemble` makes the fields of frames, and a frame is one report table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import meta

from render.engine import environment
from render.words import read_words
from tests.docs.recipes import recipes_of, settings_of
from tests.render.sample_day import ROOT

RENDER = ROOT / "render"
TEMPLATES = RENDER / "templates"
SYNTAX = environment("md", read_words("en"))
# Time zone, title and window of the report are everybody's, and the provenance's own.
SHARED = {"project", "window", "provenance"}
PROVENANCE = {"header", "provenance"}
MADE = next(
    statement
    for statement in ast.parse((RENDER / "assemble.py").read_text("utf-8")).body
    if isinstance(statement, ast.FunctionDef) and statement.name == "assemble"
).body


def sections() -> list[str]:
    """The parts that a report's document includes, in its order."""
    document = (TEMPLATES / "day" / "report.md.j2").read_text("utf-8")
    return re.findall(r'include "day/_(\w+)\.md\.j2"', document)


def fields_of(template: str) -> set[str]:
    """The fields of the report that a template names, by itself or what it includes."""
    tree = SYNTAX.parse((TEMPLATES / template).read_text("utf-8"))
    named = meta.find_undeclared_variables(tree)
    for other in meta.find_referenced_templates(tree):
        if other and "macros" not in other:
            named |= fields_of(other)
    return named


def tables_of(field: str) -> set[str]:
    """The report tables whose rows `assemble` makes a field of."""
    locals_ = {
        target.id: statement.value
        for statement in MADE
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    (made,) = (step.value for step in MADE if isinstance(step, ast.Return))
    assert isinstance(made, ast.Call)
    arguments = {keyword.arg: keyword.value for keyword in made.keywords}
    if field not in arguments:
        return set()
    return {f"rpt_{frame}" for frame in frames_in(arguments[field], locals_)}


def frames_in(node: ast.expr, locals_: dict[str, ast.expr]) -> Iterator[str]:
    if isinstance(node, ast.Call) and any(is_frames(one) for one in node.args):
        # The whole of them goes to a module that picks.
        module = (RENDER / "ecosystem.py").read_text("utf-8")
        yield from re.findall(r"frames\.(\w+)", module)
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and is_frames(one.value):
            yield one.attr
        elif isinstance(one, ast.Name) and one.id in locals_ and one.id != "zone":
            yield from frames_in(locals_[one.id], locals_)


def is_frames(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "frames"


def read_by(section: str) -> set[str]:
    fields = {
        field
        for document in ("md", "html")
        for field in fields_of(f"day/_{section}.{document}.j2")
    }
    if section not in PROVENANCE:
        fields -= SHARED
    return {table for field in fields for table in tables_of(field)}


def exposed(manifest: dict[str, Any]) -> dict[str, set[str]]:
    return {
        exposure["name"]: {
            node.rsplit(".", 1)[1] for node in exposure["depends_on"]["nodes"]
        }
        for exposure in manifest["exposures"].values()
    }


def test_each_section_is_exposed_with_the_tables_that_it_reads(
    manifest: dict[str, Any],
) -> None:
    told = exposed(manifest)
    of_sections = {
        name.removeprefix("report_"): tables
        for name, tables in told.items()
        if name.startswith("report_")
    }
    assert of_sections == {section: read_by(section) for section in sections()}


def test_every_table_that_render_reads_is_exposed_and_no_other(
    manifest: dict[str, Any],
) -> None:
    queries = (RENDER / "queries.py").read_text("utf-8")
    read = set(re.findall(r"(?:reports|marts)\.(\w+)", queries))
    told = exposed(manifest)
    of_render = [told[name] for name in told if name != "cookbook"]
    assert set.union(*of_render) == read


def test_the_cookbook_is_exposed_with_the_tables_that_it_asks(
    manifest: dict[str, Any],
) -> None:
    page = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
    told = settings_of(page) + "".join(recipe.query for recipe in recipes_of(page))
    # What is followed by arguments is a macro.
    asked = set(re.findall(r"(?:marts|reports)\.(\w+)\b(?!\()", told))
    assert exposed(manifest)["cookbook"] == asked


@pytest.mark.parametrize("path", sorted((TEMPLATES / "day").glob("*.j2")), ids=str)
def test_no_part_of_a_report_is_read_by_none(path: Path) -> None:
    """A template that nothing includes would escape the laws above."""
    told = [one.read_text("utf-8") for one in TEMPLATES.rglob("*.j2")]
    is_document = path.name.startswith("report.")
    assert is_document or any(f"day/{path.name}" in text for text in told)
