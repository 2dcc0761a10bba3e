"""The published history: marts and reports in a file of their own, for reading.

A writer locks the warehouse's file for as long as it runs; whoever reads opens
`history.duckdb` beside it instead. The file is written aside and renamed, so a reader
has the old one or the new one, whole, and one that holds it open keeps what it has.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import duckdb

from pipelines.errors import MisconfiguredError, UnusableError
from pipelines.parquet import exported_path, exporting, refuse_occupied
from pipelines.published import keep
from pipelines.warehouse import LOCK_WAIT, once_free

SCHEMAS = ("marts", "reports")
NAME = "history.duckdb"


def published_path(warehouse: Path) -> Path:
    """Where a warehouse's history is published, e.g. `data/history.duckdb`."""
    return warehouse.with_name(NAME)


def publish(
    warehouse: Path, *, lock_wait: float = LOCK_WAIT, parquet: bool = False
) -> str:
    """Keep what was built, copy it to the published file, swap that in; say so.

    Of the warehouse nothing is changed but what it keeps of its publications. With
    `parquet`, the same tables are swapped in as Parquet files too. Raises
    UnusableError where the warehouse is missing, locked for longer than `lock_wait`
    seconds, or not built; MisconfiguredError where something of others stands where
    this would publish.
    """
    target, exported = published_path(warehouse), exported_path(warehouse)
    if not warehouse.is_file():
        raise UnusableError(f"There is no warehouse at {warehouse}: run make report.")
    refuse_foreign(target, warehouse)
    if parquet:
        refuse_occupied(exported)
    try:
        with _opened(warehouse, lock_wait) as connection:
            # Kept first: what nobody can read yet may be kept, and not the reverse.
            keep(connection)
            tables = _tables(connection)
            if not tables:
                raise UnusableError(
                    f"{warehouse} holds nothing built yet: run make report."
                )
            with (
                exporting(connection, exported, tables, _settle)
                if parquet
                else nullcontext()
            ):
                _replace(target, connection, tables, warehouse.name)
    except duckdb.Error as error:
        said = " ".join(str(error).split())[:300].rstrip(".!")
        raise UnusableError(
            f"{target} was not published ({said}): it is as it was before. Run again."
        ) from error
    return f"{target} is published{' with its Parquet files' if parquet else ''}."


def refuse_foreign(target: Path, warehouse: Path) -> None:
    """Raise MisconfiguredError where `target` was not published from this warehouse."""
    exist = target.exists() and warehouse.exists()
    if target == warehouse or (exist and target.samefile(warehouse)):
        raise MisconfiguredError(
            f"WAREHOUSE={warehouse} is where histories are published: name another."
        )
    if not target.exists():
        return
    advice = f"move it away, or keep {warehouse.name} in a folder of its own"
    try:
        with duckdb.connect(str(target), read_only=True) as connection:
            row = connection.execute(
                "select warehouse from main.publication"
            ).fetchone()
    except duckdb.Error:
        raise MisconfiguredError(
            f"{target} exists and no warehouse of ours has published it: {advice}."
        ) from None
    if row != (warehouse.name,):
        other = row[0] if row else "nothing"
        raise MisconfiguredError(f"{target} was published from {other}: {advice}.")


def sweep(target: Path) -> None:
    """Remove the unfinished files of publications that were killed."""
    for left in target.parent.glob(f".{NAME}.*"):
        number = left.name.removeprefix(f".{NAME}.").removesuffix(".wal")
        if number.isdecimal() and not _is_alive(int(number)):
            left.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


@contextmanager
def _opened(source: Path, lock_wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse as `built`, in use, while nobody else can write to it."""
    attach = f"attach {_literal(source)} as built"
    connection = duckdb.connect()
    try:
        connection.execute("set timezone = 'UTC'")
        connection.execute("set enable_progress_bar = false")
        once_free(source, lock_wait, lambda: connection.execute(attach))
        connection.execute("use built")
        yield connection
    finally:
        connection.close()


def _replace(
    target: Path,
    connection: duckdb.DuckDBPyConnection,
    tables: Iterable[tuple[str, str]],
    publisher: str,
) -> None:
    """Write the published file aside, whole, and rename it."""
    unfinished = target.with_name(f".{NAME}.{os.getpid()}")
    sweep(target)
    try:
        connection.execute(f"attach {_literal(unfinished)} as history")
        _copy(connection, tables, publisher)
        connection.execute("detach history")
        _settle(unfinished)
        unfinished.replace(target)
        _settle(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """The schema and the name of each table that is published."""
    return connection.execute(
        """
        select table_schema, table_name
        from information_schema.tables
        where table_catalog = 'built' and list_contains(?, table_schema)
        order by all
        """,
        [list(SCHEMAS)],
    ).fetchall()


def _copy(
    connection: duckdb.DuckDBPyConnection,
    tables: Iterable[tuple[str, str]],
    publisher: str,
) -> None:
    for schema in SCHEMAS:
        connection.execute(f"create schema history.{schema}")
    for schema, name in tables:
        table = f"{schema}.{_identifier(name)}"
        connection.execute(
            f"create table history.{table} as select * from built.{table}"
        )
    # Their bodies name schema and table, never the database: they work in any copy.
    macros = connection.execute(
        """
        select schema_name, function_name, parameters, macro_definition
        from duckdb_functions()
        where
            database_name = 'built'
            and list_contains(?, schema_name)
            and function_type = 'table_macro'
        order by schema_name, function_name
        """,
        [list(SCHEMAS)],
    ).fetchall()
    connection.execute("use history")
    for schema, name, parameters, definition in macros:
        signature = f"{schema}.{_identifier(name)}({', '.join(parameters)})"
        connection.execute(f"create macro {signature} as table {definition}")
    connection.execute("use built")
    connection.execute(
        "create table history.main.publication as select ? as warehouse", [publisher]
    )


def _settle(path: Path) -> None:
    """Bring a file, or a folder's names, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
