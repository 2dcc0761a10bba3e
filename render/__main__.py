"""`python -m render day | site`: writes reports, and prints where they are.

`day` writes one window's report: as Markdown with its pictures, as a page, and as JSON.
`site` writes the pages of all complete windows and tells how many it could reuse.

The only module here that reads the environment, and the only one that speaks. Exit
codes are those of `pipelines.errors`.
"""

import os
import sys
from pathlib import Path

import duckdb

from pipelines.errors import IncompleteError, run
from render.arguments import Settings, SiteSettings, parse
from render.publish import (
    publish,
    refuse_unwritable,
    report_folder,
    report_stem,
)
from render.report import report_files
from render.site import build_site, site_windows
from render.warehouse import (
    is_complete,
    latest_complete,
    open_warehouse,
    read_rows,
    read_site_windows,
)
from render.words import read_words


def day(settings: Settings) -> list[Path]:
    """Write the window's report in every format; the paths of the documents."""
    words = read_words(settings.language)
    with open_warehouse(settings.warehouse) as connection:
        window_id = _reportable_window(connection, settings)
        rows = read_rows(connection, [window_id])[window_id]
    folder = report_folder(settings.build_dir, window_id)
    # All files are made before any is written: a report is whole or not there.
    files = report_files(rows, stem=report_stem(window_id), words=words)
    for name, content in files.items():
        publish(folder / name, content)
    return [folder / name for name in files if not name.endswith(".svg")]


def site(settings: SiteSettings) -> str:
    """Write what is new of the site; one line that says how much that was."""
    folder = settings.build_dir / "site"
    with open_warehouse(settings.warehouse) as connection:
        windows = site_windows(read_site_windows(connection))
    if not windows:
        raise IncompleteError(
            "No complete window is in the warehouse, so there is no site to make: "
            "run `make report` first."
        )
    made = build_site(
        windows,
        warehouse=settings.warehouse,
        folder=folder,
        site_url=settings.site_url,
    )
    return f"{folder}/index.html ({made.written} files written, {made.reused} reused)"


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
    if not settings.is_default_project:
        words.append(f"PROJECT={settings.project}")
    if settings.kind == "custom":
        at, _, hours = settings.name_ending.partition("+")
        words += [f"AT={at}", f"HOURS={hours.removesuffix('h')}"]
    elif settings.kind != "day":
        words.append(f"KIND={settings.kind}")
    return " ".join(words)


def main() -> None:
    """Do what the command line and the environment ask for, and say where it is."""
    settings = parse(sys.argv[1:], os.environ)
    if isinstance(settings, SiteSettings):
        sys.stdout.write(f"{site(settings)}\n")
        return
    if settings.is_check:
        read_words(settings.language)
        refuse_unwritable(settings.build_dir)
        return
    for path in day(settings):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    sys.exit(run(main, debug=os.environ.get("DEBUG") == "1"))
