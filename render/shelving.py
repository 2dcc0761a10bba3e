"""The site's folder, brought up to date: only what changed is made anew.

A page's key says what went into it: this program, the window's rows, its neighbours.
The keys lie in the folder itself, beside a hash of each page as it was written, so that
a page that was lost or touched is made again. Whatever an earlier run wrote and this
one does not want is removed; files that are not ours stay.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from pipelines import __version__
from render.lists import list_pages
from render.pages import made_files
from render.publish import publish, report_stem, withdraw
from render.site import ReportPage, SiteWindow, report_pages

KEYS = ".pages.json"

Shelved = dict[str, list[str]]
"""By path: the key of what went into a file, and the hash of the file itself."""


@dataclass(frozen=True)
class Made:
    """What a run did."""

    written: int
    """Files made anew."""
    reused: int
    """Files that stood."""


def build_site(
    windows: Sequence[SiteWindow], *, warehouse: Path, folder: Path, site_url: str
) -> Made:
    """Bring the folder to what the windows of the warehouse say."""
    before = _shelved(folder)
    keys: dict[str, str] = {}
    new: list[list[ReportPage]] = []
    for pages in _by_window(windows):
        wanted = _keys(pages, _program())
        keys |= wanted
        if not all(_stands(folder, path, wanted, before) for path in wanted):
            new.append(pages)
    now = {path: shelf for path, shelf in before.items() if path in keys}
    written = 0
    for files in made_files(warehouse, new):
        for path, content in files.items():
            publish(folder / path, content)
            now[path] = [keys[path], _hash(content)]
        written += len(files)
        # What a run that is killed leaves behind need not be made again.
        publish(folder / KEYS, json.dumps({**before, **now}))
    for path, content in list_pages(windows, site_url=site_url).items():
        publish(folder / path, content)
        now[path] = ["", _hash(content)]
    for path in sorted(before.keys() - now.keys()):
        withdraw(folder, path)
    publish(folder / KEYS, json.dumps(now, indent=0, sort_keys=True) + "\n")
    return Made(written=written, reused=len(keys) - written)


def _by_window(windows: Sequence[SiteWindow]) -> Iterator[list[ReportPage]]:
    def window_id(page: ReportPage) -> str:
        return page.window.window_id

    for _, pages in groupby(sorted(report_pages(windows), key=window_id), window_id):
        yield list(pages)


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


@cache
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
