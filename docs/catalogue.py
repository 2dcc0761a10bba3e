"""What dbt's manifest says of the published tables and the table macros. Pure.

The manifest is dbt's own reading of the YAML, with shared descriptions filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PACKAGE = "llm_dev_highlights"
SCHEMAS = ("marts", "reports")

Manifest = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column, or an argument of a macro; `values` and `refers_to` may be empty."""

    name: str
    data_type: str
    meaning: str
    values: tuple[str, ...] = ()
    refers_to: str = ""


@dataclass(frozen=True)
class Table:
    """A published table; each key is the columns that no two rows share."""

    schema: str
    name: str
    description: str
    keys: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class TableMacro:
    """A macro that is asked like a table."""

    name: str
    description: str
    arguments: tuple[Column, ...]
    columns: tuple[Column, ...]


def tables(manifest: Manifest) -> tuple[Table, ...]:
    """The models of the published schemas, by schema and name."""
    models = [
        node
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model" and node["schema"] in SCHEMAS
    ]
    models.sort(key=lambda node: (SCHEMAS.index(node["schema"]), node["name"]))
    published = {f"ref('{node['name']}')": _named(node) for node in models}
    return tuple(_table(node, manifest, published) for node in models)


def table_macros(manifest: Manifest) -> tuple[TableMacro, ...]:
    """The macros that dbt makes in the database, by name."""
    told = [
        one
        for macro in manifest["macros"].values()
        if macro["package_name"] == PACKAGE
        for one in macro["meta"].get("table_macros", ())
    ]
    return tuple(
        TableMacro(
            name=one["name"],
            description=one_line(one["description"]),
            arguments=tuple(_told(each) for each in one["arguments"]),
            columns=tuple(_told(each) for each in one["columns"]),
        )
        for one in sorted(told, key=lambda one: str(one["name"]))
    )


def one_line(text: str) -> str:
    """The text without its line breaks.

    >>> one_line("One row per\\n  thread.\\n")
    'One row per thread.'
    """
    return " ".join(text.split())


def _table(
    node: Mapping[str, Any], manifest: Manifest, published: Mapping[str, str]
) -> Table:
    tests = list(_tests_of(node["unique_id"], manifest))
    columns = [
        Column(
            name=column["name"],
            data_type=one_line(column["data_type"] or ""),
            meaning=one_line(column["description"]),
            values=_accepted(column["name"], tests),
            refers_to=_related(column["name"], tests, published),
        )
        for column in node["columns"].values()
    ]
    return Table(
        schema=node["schema"],
        name=node["name"],
        description=one_line(node["description"]),
        keys=_keys(tests, [column.name for column in columns]),
        columns=tuple(columns),
    )


def _tests_of(
    unique_id: str, manifest: Manifest
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name and arguments of each generic test of a model."""
    for node in manifest["nodes"].values():
        if node["resource_type"] == "test" and node.get("attached_node") == unique_id:
            metadata = node["test_metadata"]
            yield metadata["name"], metadata["kwargs"]


def _accepted(
    column: str, tests: list[tuple[str, Mapping[str, Any]]]
) -> tuple[str, ...]:
    for name, arguments in tests:
        is_closed = name in ("accepted_values", "accepted_items")
        if is_closed and arguments["column_name"] == column:
            return tuple(str(value) for value in arguments["values"])
    return ()


def _related(
    column: str,
    tests: list[tuple[str, Mapping[str, Any]]],
    published: Mapping[str, str],
) -> str:
    for name, arguments in tests:
        if name == "relationships" and arguments["column_name"] == column:
            table = published.get(re.sub(r"\s", "", arguments["to"]))
            return f"{table}.{arguments['field']}" if table else ""
    return ""


def _keys(
    tests: list[tuple[str, Mapping[str, Any]]], order: list[str]
) -> tuple[tuple[str, ...], ...]:
    """The keys, one that tells what a row is about before one of places in a list."""
    found = {
        (arguments["column_name"],) if name == "unique" else tuple(arguments["columns"])
        for name, arguments in tests
        if name in ("unique", "unique_together")
    }

    def rank(key: tuple[str, ...]) -> tuple[bool, list[int]]:
        is_place = any(column.endswith("position") for column in key)
        return is_place, [order.index(column) for column in key]

    return tuple(sorted(found, key=rank))


def _told(one: Mapping[str, str]) -> Column:
    return Column(one["name"], one["data_type"], one_line(one["description"]))


def _named(node: Mapping[str, Any]) -> str:
    return f"{node['schema']}.{node['name']}"
