"""The sample's day as whole documents, and a checker of every word of fact in them.

After a change that is meant, write the golden files anew and read the difference:

    REGENERATE=1 .venv/bin/python -m pytest tests/render/test_facts.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pytest

from render.escaping import plain
from render.filters import clock, short_title
from render.report import report_files
from render.words import read_words
from tests.render.documents import lines, rows_of, tokens
from tests.render.sample_day import CUSTOM, DAY, MONTH, ROOT, WEEK

GOLDEN = Path(__file__).parent / "golden" / "sample"
LANGUAGES = ("zh", "en")
ZONE = timezone(timedelta(hours=8))


def files(sample: Path, language: str, window_id: str = DAY) -> dict[str, str]:
    rows, words = rows_of(sample, window_id), read_words(language)
    return report_files(rows, stem="2026-03-04", words=words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_samples_day_is_the_golden_one(sample: Path, language: str) -> None:
    made = files(sample, language)
    assert len(made) == 9
    for name, content in made.items():
        path = GOLDEN / name
        if os.environ.get("REGENERATE") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        assert content.encode() == path.read_bytes(), name


def test_the_day_is_the_same_bytes_in_any_process(sample: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.render.test_facts import files\n"
        "for language in ('zh', 'en'):\n"
        "    sys.stdout.write(''.join(files(Path(sys.argv[1]), language).values()))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code, str(sample)],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("0", "UTC"), ("4242", "America/Los_Angeles"))
    }
    here = "".join(x for lang in LANGUAGES for x in files(sample, lang).values())
    assert seen == {here.encode()}


CLIPS = (80, 60, 100)
"""Characters at which templates clip a stranger's text."""


class Facts:
    """Everything that the report tables hold of the window: numbers, texts, logins."""

    def __init__(self, warehouse: Path, window_id: str = DAY) -> None:
        self.numbers: set[float] = set()
        # Who has no account goes by one name.
        self.texts: set[str] = {"ghost"}
        self.times: set[str] = set()
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            tables = connection.execute(
                "select table_name from information_schema.columns "
                "where table_schema = 'reports' and column_name = 'window_id'"
            ).fetchall()
            for (table,) in tables:
                query = f"select * from reports.{table} where window_id = ?"
                rows = connection.execute(query, [window_id]).fetchall()
                self.numbers.add(len(rows))
                for cell in leaves(rows):
                    self.take(cell)

    def take(self, cell: Any) -> None:
        if isinstance(cell, datetime):
            local = cell.astimezone(ZONE)
            self.times |= {f"{local:%Y-%m-%d %H:%M}", f"{cell:%Y-%m-%dT%H:%M:%SZ}"}
            self.times |= {clock(local), clock(local, with_date=True)}
        elif isinstance(cell, str):
            self.texts |= {plain(cell), *(short_title(plain(cell), n) for n in CLIPS)}
        elif isinstance(cell, bool) or cell is None:
            return
        elif isinstance(cell, int | float):
            self.numbers.add(float(cell))

    def hold(self, figure: str) -> bool:
        """Whether a number of the tables prints as this figure."""
        if figure.endswith("%"):
            shown, scale = figure[:-1], 100
        else:
            shown, scale = figure, 1
        digits = len(shown.partition(".")[2])
        wanted = f"{float(shown):.{digits}f}"
        if any(f"{n * scale:.{digits}f}" == wanted for n in self.numbers):
            return True
        # A duration is told in whole minutes, hours or days, of hours or of days.
        return not digits and any(
            int(n * unit) == int(shown) for n in self.numbers for unit in UNITS
        )


UNITS = (1, 24, 1 / 24, 60)


def leaves(cell: Any) -> Iterator[Any]:
    if isinstance(cell, dict):
        cell = cell.values()
    if isinstance(cell, Iterable) and not isinstance(cell, str):
        for part in cell:
            yield from leaves(part)
    else:
        yield cell


@pytest.fixture(scope="session")
def facts(sample: Path) -> Facts:
    return Facts(sample)


def prose(sample: Path, language: str, window_id: str = DAY) -> list[str]:
    """The plain lines of the report and its evidence, as a reader has them."""
    made = files(sample, language, window_id)
    body = made[f"2026-03-04.{language}.md"]
    evidence = made[f"2026-03-04.{language}.evidence.md"]
    return [
        *lines(body[body.index("\n**") : body.index("\n---\n")]),
        *lines(evidence.partition("\n")[2]),
    ]


# What our own sentences say without a column: words of the locale files, counts of rows
# that are folded, and the days of a long list, whose counts `test_report` holds.
OURS = {
    "zh": (
        r"^\d{4}-\d\d-\d\d（\d+）$",
        r"此前 28 (个窗口|天|周|个月)",
        r"至少需要 7 (个窗口|天|周|个月)",
        r"另有 \d+ (条|人)",
        r"至少 \d 条",
        r"^[^：]*Issue \d+ 个.*$|^[^：]*(合并|关闭|新) PR \d+ 个.*$",
    ),
    "en": (
        r"^\d{4}-\d\d-\d\d \(\d+\)$",
        r"the 28 (windows|days|weeks|months) before",
        r"needs at least 7",
        r"\d+ more",
        r"bar of 3 comments",
        r"^\d+ (new |issues? closed|PRs? (merged|closed)).*$",
    ),
}
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\dZ)?|(?:\d\d-\d\d )?\b\d\d:\d\d\b"
)
LOGIN = re.compile(r"\bdev-\d+(?:-amd)?\b|\bghost\b|[\w-]+\[bot\]")


def untold(line: str, facts: Facts, language: str) -> list[str]:
    """The numbers, `#numbers` and logins of a line that no report table holds.

    A stranger's text is a fact as a whole: it is taken out where a table holds it,
    longest first.
    """
    strangers = sorted((t for t in facts.texts if len(t) > 2), key=len, reverse=True)
    for text in strangers:
        if text in line and not text.isdigit():
            line = line.replace(text, " ")
    found = TIME.findall(line)
    wrong = [time for time in found if time not in facts.times]
    line = re.sub(r"\(UTC\+8\)", " ", TIME.sub(" ", line))
    for own in OURS[language]:
        line = re.sub(own, " ", line)
    wrong += [login for login in LOGIN.findall(line) if login not in facts.texts]
    line = LOGIN.sub(" ", line)
    return wrong + [
        figure
        for figure in re.findall(r"[−]?\d+(?:\.\d+)?%?", line)
        if not facts.hold(figure.replace("−", "-"))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_and_login_of_the_prose_is_in_the_report_tables(
    sample: Path, facts: Facts, language: str
) -> None:
    told = prose(sample, language)
    assert len(told) > 300
    wrong = {line: found for line in told if (found := untold(line, facts, language))}
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("window_id", [WEEK, MONTH, CUSTOM])
def test_every_figure_of_other_kinds_of_windows_is_in_the_report_tables_too(
    kinds: Path, window_id: str, language: str
) -> None:
    facts = Facts(kinds, window_id)
    told = prose(kinds, language, window_id)
    assert len(told) > 100
    wrong = {line: found for line in told if (found := untold(line, facts, language))}
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "lie", ["17.23 %", "#99999", "dev-999", "2026-03-04 11:25", "83.47%", "−4711"]
)
def test_the_checker_sees_what_no_table_holds(
    facts: Facts, language: str, lie: str
) -> None:
    assert untold(f"x {lie} y", facts, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_the_prose_names_the_thread_it_leads_to(
    sample: Path, language: str
) -> None:
    text = files(sample, language)[f"2026-03-04.{language}.md"]
    found = list(tokens(text))
    links = 0
    for token in found:
        if token.type == "inline":
            for at, child in enumerate(token.children or []):
                href = str(child.attrGet("href"))
                number = re.search(r"/(?:issues|pull)/(\d+)$", href)
                if child.type == "link_open" and number:
                    shown = token.children[at + 1].content  # type: ignore[index]
                    assert shown.startswith(f"#{number[1]}")
                    links += 1
    assert links > 366


def test_what_is_said_to_rise_or_fall_is_plotted_so(sample: Path) -> None:
    rows = rows_of(sample, DAY)
    topics = rows["topics"]
    rising = [topic for topic in topics if topic["is_rising"]]
    assert 0 < len(rising) <= len(topics) / 2
    for row in (*topics, *rows["ecosystem_share"]):
        assert row["share"] > row["usual_share"] or not row["is_rising"]
        assert row["share"] < row["usual_share"] or not row["is_falling"]
    spotlight = rows["provenance"]["spotlight_ecosystem"]
    [told] = [x for x in rows["ecosystem_share"] if x["ecosystem"] == spotlight]
    assert told["share"] == rows["trend"][-1]["ecosystem_thread_share"]
