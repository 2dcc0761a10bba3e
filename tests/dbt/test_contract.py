"""The tables have the columns that `docs/contract.md` promises to programs outside.

At least these, in any order. The models' YAML says which columns there are; a data test
of the dbt project holds the built tables to it.
"""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "dbt_project" / "models"
MEASURES = "the measures of `thread_windows`"


def promised() -> dict[str, set[str]]:
    """The columns of each table, as the page lists them."""
    page = (ROOT / "docs" / "contract.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+\.\w+)` \| [^|]+ \| ([^|]+) \|$", page, re.M)
    columns = {table: set(re.findall(r"`(\w+)`", told)) for table, told in rows}
    measures = columns["marts.thread_windows"] - {"window_id", "thread_id"}
    return {
        table: (columns[table] - {"thread_windows"}) | measures
        if MEASURES in told
        else columns[table]
        for table, told in rows
    }


def columns_of(table: str) -> list[dict[str, Any]]:
    """The columns that the YAML beside the model of `schema.table` lists."""
    schema, name = table.split(".")
    (path,) = (MODELS / schema).rglob(f"{name}.yml")
    (model,) = yaml.safe_load(path.read_text(encoding="utf-8"))["models"]
    columns: list[dict[str, Any]] = model["columns"]
    return columns


def test_a_promised_table_has_every_promised_column() -> None:
    tables = promised()
    assert len(tables) == 14
    missing = {
        table: columns - {column["name"] for column in columns_of(table)}
        for table, columns in tables.items()
    }
    assert {table: columns for table, columns in missing.items() if columns} == {}


def test_every_column_of_a_report_table_has_its_type() -> None:
    assert [
        (path.stem, column["name"])
        for path in sorted((MODELS / "reports").glob("rpt_*.sql"))
        for column in columns_of(f"reports.{path.stem}")
        if not column.get("data_type")
    ] == []


def test_the_report_tables_hold_their_contract_at_every_build() -> None:
    project = yaml.safe_load((MODELS.parent / "dbt_project.yml").read_text("utf-8"))
    reports = project["models"]["llm_dev_highlights"]["reports"]
    assert reports["+contract"] == {"enforced": True}
