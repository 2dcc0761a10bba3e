"""The report's pictures with their words: which series is drawn how. Pure.

Each has a title and a description in the reader's language; the page sets the numbers
themselves beside it, as a table that needs no eyes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

from markupsafe import Markup

from render.charts import drawn, picture_file
from render.context import EcosystemSection, HourCount, Report, Series, Topics
from render.escaping import plain
from render.filters import percent
from render.words import Format, Words

# For attributes and files: text as it is, escaped by whoever sets it.
BARE = Format(untrusted=lambda text: Markup(plain(text)), own=Markup)
DATE, CLOCK = {"from": 5, "to": 10}, {"from": 11, "to": 16}
MONTH = {"from": 0, "to": 7}
HOUR = timedelta(hours=1)
Said = Mapping[str, str]
"""How the window and those before it are called, by locale group."""
WORDED = ("span", "spans", "stepwise")
MOST_TOLD = 7
# Bars that fit on a screen.
MOST_RISING, MOST_BUSY, MOST_FALLING = 8, 4, 4


@dataclass(frozen=True)
class Picture:
    """One drawing."""

    title: str
    """What it shows, in a few words."""
    description: str
    """How to read it."""
    svg: Markup
    """The drawing, for a page."""
    file: str
    """The name of its file, for a document that cannot hold it."""


@dataclass(frozen=True)
class Pictures:
    """A report's drawings; None where there is nothing to draw."""

    trend: Picture | None
    """The five counts over the windows before."""
    share: Picture | None
    """The ecosystem's share over the same windows."""
    heat: Picture | None
    """People's comments along the window."""
    topics: Picture | None
    """Topics' shares against their usual ones."""


def drawn_for(report: Report, *, words: Words, named: str) -> Pictures:
    """All pictures of a report in a language; their files' names begin with `named`."""
    ecosystem = report.ecosystem
    kind = report.window.kind
    said = {group: words.word(group, kind) for group in WORDED}
    return Pictures(
        trend=_trend(report.trend, words, named, said),
        share=None if ecosystem is None else _share(ecosystem, words, named, said),
        heat=_heat(report.comment_hours, words, named, said),
        topics=_topics(report.topics, words, named, said),
    )


def picture_files(pictures: Pictures) -> dict[str, str]:
    """The pictures as files, by name."""
    every = (getattr(pictures, field.name) for field in fields(pictures))
    return {each.file: picture_file(each.svg) for each in every if each is not None}


def _trend(
    series: Sequence[Series], words: Words, named: str, said: Said
) -> Picture | None:
    if not series:
        return None
    tables = {
        "panels": [
            {
                "measure": each.measure,
                "median": each.median,
                "most": _most(each),
                "top": max(_most(each), each.median or 0.0) or 1.0,
            }
            for each in series
        ],
        "rows": [
            {"measure": each.measure, **row} for each in series for row in _rows(each)
        ],
        **_axis([point.label for point in series[0].points]),
        "label": [_shown_of(series[0])],
    }
    return _picture(
        "trend",
        "panels",
        tables,
        words,
        named,
        said,
        shown={each.measure: words.word("count", each.measure) for each in series},
        read="trend" if any(each.median is not None for each in series) else "counts",
    )


def _share(
    ecosystem: EcosystemSection, words: Words, named: str, said: Said
) -> Picture | None:
    if ecosystem.trend is None:
        return None
    tables = {
        "rows": _rows(ecosystem.trend),
        **_axis([point.label for point in ecosystem.trend.points]),
        "medians": [],
        "label": [{**_shown_of(ecosystem.trend), "format": ".0%", "step": 0.01}],
    }
    name = words.word("ecosystem_name", ecosystem.name)
    return _picture("share", "bars", tables, words, named, {**said, "name": name})


def _heat(
    hours: Sequence[HourCount], words: Words, named: str, said: Said
) -> Picture | None:
    if not hours:
        return None
    hourly = len(hours) < 2 or hours[1].start_at - hours[0].start_at <= HOUR
    rows = [
        {
            "at": hour.start_at.isoformat(),
            "value": hour.human_comment_count,
            "is_now": True,
        }
        for hour in hours
    ]
    tables = {
        "rows": rows,
        **_axis([hour.start_at.isoformat() for hour in hours]),
        "medians": [],
        "label": [{**(CLOCK if hourly else DATE), "format": ",d", "step": 1}],
    }
    return _picture("heat", "bars", tables, words, named, said)


def _topics(topics: Topics, words: Words, named: str, said: Said) -> Picture | None:
    known = [
        topic
        for topic in (
            *topics.rising[:MOST_RISING],
            *topics.busy[:MOST_BUSY],
            *topics.falling[-MOST_FALLING:],
        )
        if topic.share is not None and topic.usual_share is not None
    ]
    if not known:
        return None
    rows = [
        {
            "name": topic.name.key,
            "value": topic.share,
            "before": topic.usual_share,
            "shown": percent(topic.share or 0.0),
        }
        for topic in known
    ]
    shown = {
        topic.name.key: topic.name.titles.get(words.language, topic.name.key)
        for topic in known
    }
    tables = {"rows": rows}
    return _picture("topics", "pairs", tables, words, named, said, shown=shown)


def _picture(
    key: str,
    specification: str,
    tables: Mapping[str, Any],
    words: Words,
    named: str,
    said: Said,
    *,
    shown: Mapping[str, str] | None = None,
    read: str | None = None,
) -> Picture:
    title = str(words.say(f"picture.{key}", BARE, **said))
    description = str(words.say(f"picture.{read or key}_read", BARE, **said))
    svg = drawn(
        specification,
        tables,
        name=key,
        title=title,
        description=description,
        words=shown or {},
    )
    return Picture(title, description, svg, f"{named}.{key}.svg")


def _axis(places: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """All places along the axis, and the few that are told: measuring text is slow."""
    step = -(-len(places) // MOST_TOLD)
    return {
        "ticks": [{"at": place} for place in places],
        "told": [{"at": place} for place in places[::-1][::step]],
    }


def _shown_of(series: Series) -> dict[str, int]:
    """The part of a label that is told: a day's month and day, a month's year too."""
    return MONTH if len(series.points[0].label) == MONTH["to"] else DATE


def _rows(series: Series) -> list[dict[str, Any]]:
    return [
        {"at": point.label, "value": point.value, "is_now": point.is_this}
        for point in series.points
    ]


def _most(series: Series) -> float:
    """Its largest value, which a panel tells; 0 where none is known."""
    return max((point.value or 0.0 for point in series.points), default=0.0)
