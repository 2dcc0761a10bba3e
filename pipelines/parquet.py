"""The published tables as Parquet files, for tools that do not read DuckDB's.

`parquet/<schema>/<table>.parquet` beside the warehouse: names that stay, types as they
are (times in UTC, lists and structs nested), rows in the order of their columns, so
that the same tables give the same bytes. `parquet` is a link to a folder written aside,
and swapped as one: whoever opens it finds the old tables or the new ones.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pipelines.errors import MisconfiguredError

NAME = "parquet"


def exported_path(warehouse: Path) -> Path:
    """Where a warehouse's tables are exported, e.g. `data/parquet`."""
    return warehouse.with_name(NAME)


def refuse_occupied(link: Path) -> None:
    """Raise MisconfiguredError where something stands that is no link of ours."""
    if link.exists() and not link.is_symlink():
        raise MisconfiguredError(
            f"{link} exists and is not what PARQUET=1 writes: move it away."
        )


@contextmanager
def exporting(
    connection: duckdb.DuckDBPyConnection,
    link: Path,
    tables: Iterable[tuple[str, str]],
    settle: Callable[[Path], object],
) -> Iterator[None]:
    """Write each (schema, table) of the database in use; swap them in at the end.

    `settle` brings a file, or a folder's names, to the disk. Nothing is swapped in, and
    nothing left behind, where what is done in between fails. For the one who holds the
    warehouse alone: what killed runs have left goes too.
    """
    folder = Path(tempfile.mkdtemp(prefix=f".{NAME}.", dir=link.parent))
    try:
        # Made for one alone; the export is for whoever may read the folder it is in.
        folder.chmod(link.parent.stat().st_mode & 0o777)
        for schema, table in tables:
            (folder / schema).mkdir(exist_ok=True)
            path = folder / schema / f"{table}.parquet"
            source = f"{schema}.{_quoted(table, chr(34))}"
            connection.execute(
                f"copy (from {source} order by all)"
                f" to {_quoted(str(path), chr(39))} (format parquet, compression zstd)"
            )
            settle(path)
        yield
        _swap_in(folder, link)
        settle(link.parent)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _swap_in(folder: Path, link: Path) -> None:
    fresh = folder.with_name(f"{folder.name}.link")
    fresh.symlink_to(folder.name)
    fresh.replace(link)
    for left in link.parent.glob(f".{NAME}.*"):
        if left.is_symlink():
            left.unlink()
        elif left != folder:
            shutil.rmtree(left, ignore_errors=True)


def _quoted(text: str, quote: str) -> str:
    return quote + text.replace(quote, quote * 2) + quote
