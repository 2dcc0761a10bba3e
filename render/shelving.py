"""The site's folder, brought up to date: only what changed is made anew.

A page's key says what went into it: this program, the window's rows, its neighbours.
The keys lie in the folder itself, beside a hash of each page as it was written, so that
a page that was lost or touched is made again. Whatever an earlier run wrote and this
one does not want is removed; files that are not ours stay.
"""

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from pipelines import __version__
from render import machine
from render.assemble import assemble
from render.context import Report
from render.engine import render
from render.lists import list_pages
from render.pictures import drawn_for
from render.publish import publish, report_stem, withdraw
from render.site import ReportPage, SiteWindow, report_pages
from render.warehouse import Frames
from render.words import read_words

KEYS = ".pages.json"
SAVED_EVERY = 50
"""Windows after which the keys are saved: what a killed run loses at most."""

Shelved = dict[str, list[str]]
"""By path: the key of what went into a file, and the hash of the file itself."""


@dataclasses.dataclass
class Made:
    """What a run did."""

    written: int = 0
    reused: int = 0


def build_site(
    windows: Sequence[SiteWindow],
    *,
    folder: Path,
    site_url: str,
    read: Callable[[str], Frames],
) -> Made:
    """Bring the folder to what the windows say; `read` fetches a window's tables."""
    before, program = _shelved(folder), _program()
    now: Shelved = {}
    made = Made()
    pages = sorted(report_pages(windows), key=lambda page: page.window.window_id)
    for count, (window_id, group) in enumerate(
        groupby(pages, key=lambda page: page.window.window_id), start=1
    ):
        here = list(group)
        keys = _keys(here, program)
        new = [path for path in keys if not _stands(folder, path, keys, before)]
        files = _made(here, read(window_id)) if new else {}
        for path, key in keys.items():
            if path in new:
                publish(folder / path, files[path])
            content = _hash(files[path]) if path in new else before[path][1]
            now[path] = [key, content]
        made.written += len(new)
        made.reused += len(keys) - len(new)
        if new and count % SAVED_EVERY == 0:
            publish(folder / KEYS, json.dumps({**before, **now}))
    for path, content in list_pages(windows, site_url=site_url).items():
        publish(folder / path, content)
        now[path] = ["", _hash(content)]
    for path in sorted(before.keys() - now.keys()):
        withdraw(folder, path)
    publish(folder / KEYS, json.dumps(now, indent=0, sort_keys=True) + "\n")
    return made


def _keys(pages: Sequence[ReportPage], program: str) -> dict[str, str]:
    """What goes into each file of one window: its pages and its data."""
    window = pages[0].window
    shown = (program, window.fingerprint)
    data = f"{window.project}/{report_stem(window.window_id)}.json"
    return {
        **{
            page.path: _hash(repr((*shown, page.language, page.place)))
            for page in pages
        },
        data: _hash(repr(shown)),
    }


def _made(pages: Sequence[ReportPage], frames: Frames) -> dict[str, str]:
    """All files of one window."""
    report = settled(assemble(frames, tool_version=__version__))
    window = pages[0].window
    stem = report_stem(window.window_id)
    files = {f"{window.project}/{stem}.json": machine.document(report)}
    for page in pages:
        words = read_words(page.language)
        files[page.path] = render(
            report,
            ending="html",
            words=words,
            pictures=drawn_for(report, words=words, named=stem),
            place=page.place,
        )
    return files


def settled(report: Report) -> Report:
    """The report without what every sync moves: how far the newest one reaches.

    A complete window rests on streams that cover it; how much later they end is the
    project's page's to tell, or each of these pages would be new every day.
    """
    still = dataclasses.replace(report.provenance, data_as_of_at=None, streams=())
    return dataclasses.replace(report, provenance=still)


def _stands(folder: Path, path: str, keys: Mapping[str, str], before: Shelved) -> bool:
    """Whether the file is there, untouched, and what would be made again."""
    key, content = before.get(path, ["", ""])
    file = folder / path
    return key == keys[path] and file.is_file() and _hash(file.read_bytes()) == content


def _shelved(folder: Path) -> Shelved:
    """The keys of the last run; none where they are missing or not readable as such."""
    try:
        found = json.loads((folder / KEYS).read_bytes())
        return {str(path): [str(key), str(is_)] for path, (key, is_) in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _program() -> str:
    """This renderer and what it draws with: where they change, every page is new."""
    here = Path(__file__).parent
    hashed = hashlib.sha256(__version__.encode())
    for name in ("jinja2", "markupsafe", "vl-convert-python"):
        hashed.update(version(name).encode())
    for path in sorted(here.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            hashed.update(path.relative_to(here).as_posix().encode())
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def _hash(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()
