"""Laws of the pages in a real browser: nothing runs, nothing is fetched, all can read.

Skipped where no Chromium is installed. The last law runs the axe-core that a dependency
of the tests carries, or a newer one named by AXE_CORE=…/axe.min.js.
"""

from __future__ import annotations

import html
import http.server
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import pytest

from render.site import list_pages, site_windows
from render.warehouse import open_warehouse, read_site_windows
from tests.render.documents import elements, files, page
from tests.render.test_site import built, made

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
AXE = Path(
    os.environ.get("AXE_CORE")
    or str(resources("axe_core_python").joinpath("axe.min.js"))
)
TITLE = "Sample Engine Development Report - 2026-03-04"
PAYLOAD = (
    '<img src="{url}img" onerror="document.title=\'pwned\'">'
    "<script>document.title='pwned'</script><svg onload=\"document.title='pwned'\">"
    '<iframe src="{url}frame"></iframe><link rel=stylesheet href="{url}css">'
    "</title></style></textarea><style>body{{background:url({url}bg)}}</style>"
    '--><base href={url}><meta http-equiv=refresh content="0;url={url}away">'
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


class Served:
    """A folder on this machine's loopback, and what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.url = ""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(tmp_path))

        def log_request(self, *_: Any) -> None:
            found.asked.append(self.path)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}/"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def browsed(url: str, profile: Path, *options: str) -> str:
    """The page's document after everything in it that runs has run."""
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *("--no-first-run", "--disable-background-networking", "--disable-sync"),
            *("--disable-component-update", "--virtual-time-budget=20000"),
            *(f"--user-data-dir={profile}", *options, url),
        ],
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode("utf-8")


def hostile(cell: Any, payload: str, name: str = "") -> Any:
    """The rows with the payload wherever a stranger's text can stand."""
    if isinstance(cell, dict):
        return {key: hostile(part, payload, key) for key, part in cell.items()}
    if isinstance(cell, list):
        return [hostile(part, payload, name) for part in cell]
    ends = ("title", "excerpt", "symptom", "matched", "labels", "areas", "login")
    return payload if isinstance(cell, str) and name.endswith(ends) else cell


def test_a_strangers_words_run_nothing_and_fetch_nothing(
    served: Served, day: dict[str, Any]
) -> None:
    payload = PAYLOAD.format(url=served.url)
    rows = {
        name: cell if name == "provenance" else hostile(cell, payload)
        for name, cell in day.items()
    }
    text = files(rows, "en")["html"]
    assert text.count("pwned") > 60
    (served.folder / "report.html").write_text(text, "utf-8")
    dom = page(browsed(f"{served.url}report.html", served.folder / "profile"))
    assert elements(dom, "title")[0].text == TITLE
    names = {str(element.tag) for element in dom.iter()}
    assert not names & {"script", "img", "iframe", "base", "object", "embed"}
    assert [path for path in served.asked if path != "/report.html"] == []


def test_the_same_words_unescaped_would_be_seen_to_run(served: Served) -> None:
    """The check above can fail."""
    text = f"<!doctype html><title>x</title>{PAYLOAD.format(url=served.url)}"
    (served.folder / "report.html").write_text(text, "utf-8")
    browsed(f"{served.url}report.html", served.folder / "profile")
    assert {"/img", "/frame"} & set(served.asked)


def test_the_pages_policy_stops_what_escaping_would_let_through(
    served: Served, day: dict[str, Any]
) -> None:
    payload = PAYLOAD.format(url=served.url).partition("--><base")[0]
    text = files(day, "en")["html"]
    text = text.replace("<main ", f"{payload}<main ", 1)
    (served.folder / "report.html").write_text(text, "utf-8")
    dom = browsed(f"{served.url}report.html", served.folder / "profile")
    assert f"<title>{TITLE}" in dom
    assert [path for path in served.asked if path != "/report.html"] == []


def faults(text: str, folder: Path, *options: str) -> list[str]:
    """What axe finds serious or critical; it needs scripts, so the policy goes."""
    start = text.index('<meta http-equiv="Content-Security-Policy"')
    text = text[:start] + text[text.index("\n", start) :]
    run = (
        "axe.run({resultTypes: ['violations']}).then(found => {"
        "document.documentElement.innerHTML = '<body><pre id=found></pre></body>';"
        "document.getElementById('found').textContent = JSON.stringify("
        "found.violations.map(v => [v.impact, v.id, v.nodes.length, "
        "v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary]))})"
    )
    axe = AXE.read_text("utf-8")
    (folder / "axe.html").write_text(
        text.replace("</body>", f"<script>{axe}</script><script>{run}</script></body>")
    )
    dom = browsed(f"file://{folder / 'axe.html'}", folder / "axe-profile", *options)
    found = dom.split('<pre id="found">')[1].split("</pre>")[0]
    return [
        str(fault)
        for fault in json.loads(html.unescape(found))
        if fault[0] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("days", "is_told"), [(10, True), (1, False)])
def test_a_site_that_stopped_growing_says_how_old_it_is(
    tmp_path: Path, warehouse: Path, days: int, is_told: bool
) -> None:
    """A schedule that stopped must not look like a quiet project."""
    path = built(tmp_path, warehouse) / "warehouse.duckdb"
    with open_warehouse(path) as connection:
        windows = site_windows(read_site_windows(connection))
    ended_at = datetime.now(UTC) - timedelta(days=days, hours=1)
    newest = max((w for w in windows if w.kind == "day"), key=lambda w: w.end_at)
    late = [
        replace(w, end_at=ended_at, is_synthetic=False) for w in windows if w == newest
    ]
    for name, text in list_pages(late, site_url="").items():
        if not name.endswith(".html"):
            continue
        (tmp_path / "page.html").write_text(text, "utf-8")
        dom = page(browsed(f"file://{tmp_path}/page.html", tmp_path / "profile"))
        (note,) = (e for e in dom.iter() if "data-ended-at" in e.attrib)
        assert ("hidden" not in note.attrib) == is_told, name
        assert ("10" in (note.text or "")) == is_told


@pytest.mark.parametrize(
    "options",
    [(), ("--blink-settings=preferredColorScheme=0",), ("--window-size=390,844",)],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_no_serious_fault_on_any_kind_of_page(
    tmp_path: Path, warehouse: Path, options: tuple[str, ...]
) -> None:
    made(built(tmp_path, warehouse))
    for name in (
        *("index.html", "sample/index.html", "sample/2026-03-04.zh.html"),
        *("sample/2026-03-04.en.html", "sample/2026-03-03.zh.html"),
    ):
        text = (tmp_path / "site" / name).read_text("utf-8")
        assert faults(text, tmp_path, *options) == [], name


def test_axe_would_see_a_fault(tmp_path: Path, day: dict[str, Any]) -> None:
    text = files(day)["html"]
    blind = text.replace('<html lang="zh"', "<html").replace('role="img"', "")
    assert faults(blind.replace("<main", "<main><img src=x>", 1), tmp_path)
