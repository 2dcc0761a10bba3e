"""The data dictionary says what there is, all of it, and nothing else."""

from __future__ import annotations

import csv
import doctest
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

import docs.catalogue
import docs.dictionary
import docs.units
from docs.catalogue import PACKAGE, table_macros, tables
from docs.units import unit_of
from tests.render.sample_day import ROOT

PAGE = ROOT / "docs" / "dictionary.md"
SEEDS = ROOT / "dbt_project" / "seeds"
KINDS = ("model", "seed", "source", "macro", "exposure")

Manifest = dict[str, Any]


def described(manifest: Manifest) -> list[dict[str, Any]]:
    """Every model, seed, source, macro and exposure of ours."""
    rooms = ("nodes", "sources", "macros", "exposures")
    return [
        node
        for room in rooms
        for node in manifest[room].values()
        if node["package_name"] == PACKAGE
        and node["resource_type"] in KINDS
        # A generic test is a macro to dbt; its own comment describes it.
        and not node["name"].startswith("test_")
    ]


def test_the_page_is_in_step_with_the_yaml(manifest: Manifest) -> None:
    assert docs.dictionary.dictionary(manifest) == PAGE.read_text("utf-8"), (
        "run make docs and read the difference"
    )


def test_everything_that_dbt_knows_is_described(manifest: Manifest) -> None:
    nodes = described(manifest)
    assert {node["resource_type"] for node in nodes} == set(KINDS)
    assert [
        node["unique_id"] for node in nodes if not node["description"].strip()
    ] == []


def test_every_published_column_and_every_argument_is_described(
    manifest: Manifest,
) -> None:
    undescribed = []
    for node in described(manifest):
        if node.get("schema") in ("staging", "intermediate"):
            continue  # Their names speak for most columns.
        parts = [*node.get("columns", {}).values(), *node.get("arguments", ())]
        assert parts or node["resource_type"] in ("macro", "exposure"), node["name"]
        undescribed += [
            f"{node['name']}.{part['name']}"
            for part in parts
            if not part["description"].strip()
        ]
    assert undescribed == []


def test_a_macro_describes_each_of_its_arguments(manifest: Manifest) -> None:
    for node in described(manifest):
        is_called = not node["name"].startswith("materialization_")
        if node["resource_type"] != "macro" or not is_called:
            continue
        head = re.search(r"macro \w+\((.*?)\)\s*-?%}", node["macro_sql"], re.S)
        assert head, node["name"]
        named = re.findall(r"(\w+)(?:=[^,\[]*(?:\[.*\])?)?\s*(?:,|$)", head[1])
        assert [one["name"] for one in node["arguments"]] == named, node["name"]


def test_a_seed_describes_the_columns_that_it_has(manifest: Manifest) -> None:
    seeds = {n["name"]: n for n in described(manifest) if n["resource_type"] == "seed"}
    assert set(seeds) == {path.stem for path in SEEDS.glob("*.csv")}
    for name, node in seeds.items():
        with (SEEDS / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            assert list(node["columns"]) == next(csv.reader(lines)), name


def test_a_source_describes_the_columns_that_were_loaded(
    manifest: Manifest, sample_warehouse: Path
) -> None:
    with duckdb.connect(str(sample_warehouse), read_only=True) as connection:
        for node in manifest["sources"].values():
            loaded = columns_of(connection, node["schema"], node["name"])
            assert set(node["columns"]) == set(loaded), node["name"]


def test_a_published_table_has_the_columns_and_types_that_the_page_says(
    manifest: Manifest, history: duckdb.DuckDBPyConnection
) -> None:
    published = tables(manifest)
    for table in published:
        built = columns_of(history, table.schema, table.name)
        told = {column.name: column.data_type for column in table.columns}
        assert {name: plain(each) for name, each in told.items()} == built, table.name
    there = history.execute(
        "select schema_name || '.' || table_name from duckdb_tables()"
        " where schema_name != 'main'"
    ).fetchall()
    assert {name for (name,) in there} == {
        f"{table.schema}.{table.name}" for table in published
    }


def test_a_table_macro_takes_and_gives_what_the_page_says(
    manifest: Manifest, history: duckdb.DuckDBPyConnection
) -> None:
    there = history.execute(
        "select function_name, parameters from duckdb_functions()"
        " where function_type = 'table_macro' and schema_name = 'marts'"
    ).fetchall()
    macros = table_macros(manifest)
    told = [(one.name, [each.name for each in one.arguments]) for one in macros]
    assert sorted(told) == sorted(there)
    for macro in macros:
        marks = ", ".join("'2026-03-04'" for _ in macro.arguments)
        given = history.execute(f"describe from marts.{macro.name}({marks})").fetchall()
        assert {row[0]: plain(row[1]) for row in given} == {
            column.name: plain(column.data_type) for column in macro.columns
        }


def test_every_published_table_has_a_key_and_every_number_a_unit(
    manifest: Manifest,
) -> None:
    for table in tables(manifest):
        assert table.keys, table.name
        assert table.description.startswith("One row per "), table.name
        for column in table.columns:
            assert unit_of(column.name, column.data_type) is not None


def test_a_number_without_a_unit_in_its_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no unit"):
        unit_of("how_much", "double")


def test_the_names_endings_say_what_is_counted() -> None:
    assert unit_of("time_to_merge_hours_p90", "double") == "hours"
    assert unit_of("comments_per_hour", "double") == "per hour"
    assert unit_of("open_pr_count_at_start", "bigint") == "count"
    assert unit_of("author_id", "bigint") == "id"
    assert unit_of("title", "varchar") == ""


def test_a_bar_in_a_description_does_not_end_its_cell() -> None:
    assert docs.dictionary._row("a | b", "c") == "| a \\| b | c |"


@pytest.mark.parametrize("module", [docs.catalogue, docs.dictionary, docs.units])
def test_every_example_gives_what_it_shows(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def columns_of(
    connection: duckdb.DuckDBPyConnection, schema: str, table: str
) -> dict[str, str]:
    rows = connection.execute(
        "select column_name, data_type from duckdb_columns()"
        " where schema_name = ? and table_name = ? order by column_index",
        [schema, table],
    ).fetchall()
    return {name: plain(data_type) for name, data_type in rows}


def plain(data_type: str) -> str:
    """A type as both DuckDB and the YAML can say it."""
    text = re.sub(r'[\s"]', "", data_type.lower())
    return text.replace("timestampwithtimezone", "timestamptz")
