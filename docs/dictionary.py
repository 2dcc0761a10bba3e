"""The data dictionary as Markdown: the same manifest gives the same bytes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docs.catalogue import Column, Manifest, Table, TableMacro, table_macros, tables
from docs.units import unit_of

INTRODUCTION = """\
# Data dictionary

Every table of `marts` and `reports`, as `history.duckdb` and the warehouse have them.
Written by `make docs` from the models' YAML: change it there. `make docs` also writes
the lineage of every model to `build/docs/index.html`.

All instants are UTC, all windows half-open: a window owns its first instant and not its
last. What cannot be known is null, not zero. Text from GitHub is untrusted.
"""
SCHEMAS = {
    "marts": "What analysts query.",
    "reports": "What the report says, a table or more per section.",
}


def dictionary(manifest: Manifest) -> str:
    """The whole page."""
    published = tables(manifest)
    macros = table_macros(manifest)
    parts = [INTRODUCTION, _contents(published, macros)]
    for schema, about in SCHEMAS.items():
        parts.append(f"## {schema}\n\n{about}\n")
        parts += [_table(table) for table in published if table.schema == schema]
    parts.append("## Table macros\n\nThe same questions, asked of any interval.\n")
    parts += [_macro(macro) for macro in macros]
    return "\n".join(parts)


def _contents(published: Iterable[Table], macros: Iterable[TableMacro]) -> str:
    lines = ["| table | grain |", "|---|---|"]
    for table in published:
        name = f"{table.schema}.{table.name}"
        lines.append(_row(_linked(name), _grain(table.description)))
    for macro in macros:
        lines.append(_row(_linked(_signature(macro)), _grain(macro.description)))
    return "\n".join(lines) + "\n"


def _table(table: Table) -> str:
    first, *others = [", ".join(f"`{name}`" for name in key) for key in table.keys]
    key = f"Primary key: {first}." + "".join(f" Also unique: {one}." for one in others)
    return _section(
        f"{table.schema}.{table.name}", table.description, [key], table.columns
    )


def _macro(macro: TableMacro) -> str:
    arguments = [
        f"- `{one.name}` ({one.data_type}): {one.meaning}" for one in macro.arguments
    ]
    return _section(
        _signature(macro), macro.description, ["\n".join(arguments)], macro.columns
    )


def _section(
    name: str, description: str, more: list[str], columns: Iterable[Column]
) -> str:
    head = ["| column | type | unit | meaning |", "|---|---|---|---|"]
    rows = [
        _row(
            f"`{column.name}`",
            f"`{column.data_type}`",
            unit_of(column.name, column.data_type),
            " ".join(_meaning(column)),
        )
        for column in columns
    ]
    table = "\n".join([*head, *rows])
    return "\n\n".join([f"### `{name}`", description, *more, table]) + "\n"


def _meaning(column: Column) -> Iterator[str]:
    yield column.meaning
    # Some descriptions name their values already.
    if not all(f"`{value}`" in column.meaning for value in column.values):
        yield "One of " + ", ".join(f"`{value}`" for value in column.values) + "."
    if column.refers_to:
        yield f"→ `{column.refers_to}`"


def _signature(macro: TableMacro) -> str:
    return f"marts.{macro.name}({', '.join(one.name for one in macro.arguments)})"


def _grain(description: str) -> str:
    """The first sentence.

    >>> _grain("One row per window, e.g. a day. Zeros included.")
    'One row per window, e.g. a day.'
    """
    ends = [at for at in range(len(description)) if description.startswith(". ", at)]
    ends = [at for at in ends if not description[:at].endswith(("e.g", "i.e"))]
    return description[: ends[0] + 1] if ends else description


def _linked(name: str) -> str:
    """A link to the heading of that name, as GitHub makes its anchor."""
    anchor = "".join(c for c in name.lower() if c.isalnum() or c in "_- ")
    return f"[`{name}`](#{anchor.replace(' ', '-')})"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
