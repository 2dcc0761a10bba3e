"""Rows of the report tables in, the files of a report out.

A report table is the context of the templates as it is: `rpt_hot_threads` is there as
`hot_threads`, a list of its rows in order, each a mapping of columns to Python values.
Tables of one row a window are that row, or null where it is missing.
"""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from pipelines import __version__
from render.charts import Picture, picture_file, pictures_of
from render.engine import MARKDOWN, render
from render.escaping import safe_url
from render.filters import LISTINGS
from render.posting import postable
from render.warehouse import Rows
from render.words import Words

VERSION = 2
"""Of the data's shape: raised when a field is renamed, dropped or retyped."""
LONG = timedelta(hours=48)
"""A window that is longer is told by days; `rpt_comment_hours` cuts it so too."""
SHOWN = {"hot": 3, "ecosystem": 6, "notable": 6, "watch": 6, "topics": 5}
"""Items that a section holds in full; the rest is folded."""


def context_of(rows: Rows) -> Rows:
    """What templates see: the rows, and what several of their places need of them."""
    provenance = rows["provenance"]
    spotlight = provenance["spotlight_ecosystem"]
    ours = [row for row in rows["ecosystem_threads"] if row["ecosystem"] == spotlight]
    sections = {
        "hot": rows["hot_threads"],
        "ecosystem": [row for row in ours if not row["is_author_only"]],
        "notable": [row for row in rows["notable_changes"] if row["is_shown"]],
        "watch": [row for row in rows["watch_list"] if row["is_shown"]],
    }
    home: dict[str, str] = {}
    for name, found in sections.items():
        for row in found[: SHOWN[name]]:
            home.setdefault(row["thread_id"], name)
    length = provenance["window_end_at"] - provenance["window_start_at"]
    is_comparable = bool(rows["summary"] and rows["summary"]["is_comparable"])
    headline = rows["headline_counts"] or {}
    counts = [
        {
            "listing": name,
            "count": headline.get(f"{name}_count", 0),
            "median": headline.get(f"{name}_count_median") if is_comparable else None,
            "trend": [row[f"{name}_count"] for row in rows["trend"]],
        }
        for name in LISTINGS
    ]
    return {
        **rows,
        # Ordered by what rises, unless nothing can be said to.
        "topics": rows["topics"]
        if is_comparable
        else sorted(rows["topics"], key=lambda topic: -topic["thread_count"]),
        "counts": counts,
        "sections": sections,
        "by_author": [row for row in ours if row["is_author_only"]],
        "home": home,
        "shown": SHOWN,
        "label": window_label(provenance["window_id"]),
        "is_long": length > LONG,
        "is_comparable": is_comparable,
        "has_medians": any(count["median"] is not None for count in counts),
        "repository_url": safe_url(f"https://github.com/{provenance['repository']}"),
        "tool_version": __version__,
    }


def report_files(rows: Rows, *, stem: str, words: Words) -> dict[str, str]:
    """Everything that `day` writes beside each other, by file name.

    Pictures come first: no document is there before what it shows.
    """
    named = f"{stem}.{words.language}"
    context = context_of(rows)
    pictures = pictures_of(rows, words=words, named=named)
    made = {
        name: render(
            f"{name}.j2",
            words,
            {**context, "pictures": pictures, "place": None, "stem": named},
        )
        for name in ("md/report.md", "md/evidence.md", "html/report.html")
    }
    return {
        **picture_files(pictures),
        f"{named}.evidence.md": made["md/evidence.md"],
        f"{named}.md": made["md/report.md"],
        f"{named}.html": made["html/report.html"],
        f"{named}.post.md": postable(
            made["md/report.md"],
            appendix=f"## {words.say('appendix.heading', MARKDOWN)}",
            more=lambda count: words.say("appendix.more", MARKDOWN, count=count),
        ),
        f"{stem}.json": document(rows),
    }


def picture_files(pictures: Mapping[str, Picture]) -> dict[str, str]:
    """The pictures as files, by name."""
    return {each.file: picture_file(each.svg) for each in pictures.values()}


def document(rows: Rows) -> str:
    """The rows as JSON text; times are local, with their offset."""
    content = {"schema_version": VERSION, "tool_version": __version__, **rows}
    return (
        json.dumps(
            content, ensure_ascii=False, indent=1, default=_timed, allow_nan=False
        )
        + "\n"
    )


def _timed(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def window_label(window_id: str) -> str:
    """The id's last part, as a title shows it.

    >>> window_label("vllm:day:2026-03-04")
    '2026-03-04'
    >>> window_label("vllm:week:2026-02-23")
    '2026-02-23 – 2026-03-01'
    >>> window_label("vllm:month:2026-02-01")
    '2026-02'
    >>> window_label("vllm:custom:2026-12-10T20:17+1h")
    '2026-12-10 20:17 +1h'
    """
    _, kind, name = window_id.split(":", 2)
    if kind == "week":
        return f"{name} – {date.fromisoformat(name) + timedelta(days=6)}"
    if kind == "month":
        return name[:7]
    return name.replace("T", " ").replace("+", " +")
