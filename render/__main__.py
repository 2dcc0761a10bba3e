"""`python -m render day`: writes one window's report, and prints where it is.

The only module here that reads the environment, and the only one that speaks. Exit
codes are those of `pipelines.exits`.
"""

import os
import sys
from pathlib import Path

import duckdb

from pipelines import __version__
from pipelines.exits import IncompleteError, run
from render.arguments import Settings, parse
from render.assemble import assemble
from render.engine import FORMATS, render
from render.publish import publish, report_path
from render.warehouse import is_complete, latest_complete, open_warehouse, read_frames
from render.words import read_words


def day(settings: Settings) -> list[Path]:
    """Write the window's report in every format; the paths, in the formats' order."""
    words = read_words(settings.language)
    with open_warehouse(settings.warehouse) as connection:
        window_id = _reportable_window(connection, settings)
        frames = read_frames(connection, window_id)
    report = assemble(frames, tool_version=__version__)
    # All formats are rendered before any is written: a report is whole or not there.
    documents = {
        ending: render(report, ending=ending, words=words) for ending in FORMATS
    }
    paths = []
    for ending, document in documents.items():
        path = report_path(
            settings.build_dir, window_id, language=words.language, ending=ending
        )
        publish(path, document)
        paths.append(path)
    return paths


def _reportable_window(
    connection: duckdb.DuckDBPyConnection, settings: Settings
) -> str:
    """The id of the window to report; IncompleteError says what to run first."""
    window_id = settings.window_id or latest_complete(
        connection,
        project=settings.project,
        kind=settings.kind,
        name_ending=settings.name_ending,
    )
    if window_id is None:
        raise IncompleteError(
            f"No complete {settings.kind} of {settings.project} is in the warehouse: "
            "run `make report`, or name a DATE."
        )
    complete = is_complete(connection, window_id)
    same = _command(window_id, settings)
    if complete is None:
        raise IncompleteError(f"{window_id} is not in the warehouse: run `{same}`.")
    if not complete and not settings.allows_partial:
        raise IncompleteError(
            f"{window_id} is not complete: run `{same}` to fetch the rest, or set "
            "ALLOW_PARTIAL=1 for a report that says so."
        )
    return window_id


def _command(window_id: str, settings: Settings) -> str:
    """What fetches, builds and reports the window, as one would type it."""
    words = ["make report", f"DATE={window_id.split(':', 2)[2][:10]}"]
    if settings.kind == "custom":
        at, _, hours = settings.name_ending.partition("+")
        words += [f"AT={at}", f"HOURS={hours.removesuffix('h')}"]
    elif settings.kind != "day":
        words.append(f"KIND={settings.kind}")
    return " ".join(words)


def main() -> None:
    """Write the report that the command line and the environment ask for."""
    for path in day(parse(sys.argv[1:], os.environ)):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    sys.exit(run(main, debug=os.environ.get("DEBUG") == "1"))
