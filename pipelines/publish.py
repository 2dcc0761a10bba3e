"""The published history: marts and reports in a file of their own, for reading.

A writer locks the warehouse's file for as long as it runs; whoever reads opens
`history.duckdb` beside it instead. The file is written aside and renamed, so a reader
has the old one or the new one, whole, and one that holds it open keeps what it has.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

SCHEMAS = ("marts", "reports")
NAME = "history.duckdb"


def published_path(warehouse: Path) -> Path:
    """Where a warehouse's history is published, e.g. `data/history.duckdb`."""
    return warehouse.with_name(NAME)


def publish(warehouse: Path) -> Path:
    """Copy what was built to the published file, and swap it in; the path.

    The warehouse is read only. Raises `duckdb.Error` where it cannot be read.
    """
    target = published_path(warehouse)
    unfinished = target.with_name(f".{NAME}.{os.getpid()}")
    try:
        with _attached(warehouse, unfinished) as connection:
            for schema in SCHEMAS:
                connection.execute(f"create schema history.{schema}")
                _copy_tables(connection, schema)
                _copy_macros(connection, schema)
        _settle(unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


@contextmanager
def _attached(source: Path, target: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    target.unlink(missing_ok=True)
    connection = duckdb.connect()
    try:
        connection.execute("set timezone = 'UTC'")
        connection.execute("set enable_progress_bar = false")
        connection.execute(f"attach {_literal(source)} as built (read_only)")
        connection.execute(f"attach {_literal(target)} as history")
        yield connection
        connection.execute("detach history")
    finally:
        connection.close()


def _copy_tables(connection: duckdb.DuckDBPyConnection, schema: str) -> None:
    names = connection.execute(
        """
        select table_name
        from information_schema.tables
        where table_catalog = 'built' and table_schema = ?
        order by table_name
        """,
        [schema],
    ).fetchall()
    for (name,) in names:
        table = f"{schema}.{_identifier(name)}"
        connection.execute(
            f"create table history.{table} as select * from built.{table}"
        )


def _copy_macros(connection: duckdb.DuckDBPyConnection, schema: str) -> None:
    # Their bodies name schema and table, never the database: they work in any copy.
    macros = connection.execute(
        """
        select function_name, parameters, macro_definition
        from duckdb_functions()
        where
            database_name = 'built'
            and schema_name = ?
            and function_type = 'table_macro'
        order by function_name
        """,
        [schema],
    ).fetchall()
    connection.execute("use history")
    for name, parameters, definition in macros:
        signature = f"{schema}.{_identifier(name)}({', '.join(parameters)})"
        connection.execute(f"create macro {signature} as table {definition}")
    connection.execute("use memory")


def _settle(path: Path) -> None:
    """Bring the file to the disk before its name is swapped in."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
