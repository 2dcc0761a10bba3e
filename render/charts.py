"""Rows of the report tables in, SVG out: Vega draws, by `static/charts`.

A picture is the same bytes for the same data: Vega runs in the process, asks nobody
for anything and knows no clock. It holds no word of a stranger, only our own names and
numbers, and no colour of its own: the page sets those (`--chart-…`), a picture file
brings them along.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import vl_convert
from markupsafe import Markup, escape

from render.escaping import plain
from render.filters import LISTINGS, percent
from render.words import Format, Words

SPECIFICATIONS = Path(__file__).parent / "static" / "charts"
STYLE = (SPECIFICATIONS / "picture.css").read_text("utf-8")
SVG = "http://www.w3.org/2000/svg"

Table = Sequence[Mapping[str, Any]]

INK = "var(--chart-ink, #6f7781)"
CONFIG = {
    # Vega's own labels for screen readers are English; the title and description that
    # `drawn` adds are in the reader's language.
    "aria": False,
    "axis": {
        "domain": False,
        "ticks": False,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelPadding": 5,
        "gridColor": "var(--chart-line, #a8b0b8)",
        "gridOpacity": 0.6,
    },
}

# What Vega writes for browsers that run it; a still picture needs none of it.
_IDLE = {"pointer-events", "role", "font-family", "class", "opacity"}
_LONG = re.compile(r"-?\d+\.\d{3,}")


def drawn(
    specification: str,
    tables: Mapping[str, Table],
    *,
    name: str,
    title: str,
    description: str,
    words: Mapping[str, str],
) -> Markup:
    """The picture as one `<svg>` element, for a page of ours.

    `tables` are the specification's data; a text that is a key of `words` is shown as
    that word. `name` is unique on the page: it makes the ids.
    """
    content, box = _pieces(_image(specification, json.dumps(tables, sort_keys=True)))
    for element in content.iter("text"):
        element.text = words.get(element.text or "", element.text)
    inner = "".join(ElementTree.tostring(child, "unicode") for child in content)
    return Markup(
        f'<svg xmlns="{SVG}" viewBox="{box}" role="img" '
        f'aria-labelledby="{name}-title {name}-description">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-description">{escape(description)}</desc>{inner}</svg>'
    )


def picture_file(picture: Markup) -> str:
    """The same picture as a file of its own, with colours for both themes."""
    head, _, rest = str(picture).partition(">")
    width, height = head.split('viewBox="0 0 ')[1].split('"')[0].split()
    return (
        f'{head} width="{width}" height="{height}" font-family="system-ui, sans-serif">'
        f"<style>{STYLE}</style>{rest}\n"
    )


@lru_cache(maxsize=64)
def _image(specification: str, tables: str) -> str:
    """Vega's drawing. Without words, so that all languages share it."""
    spec = json.loads(_specification(specification))
    given = json.loads(tables)
    for data in spec["data"]:
        data["values"] = given.pop(data["name"], data.get("values"))
        if "source" in data:
            del data["values"]
    spec["data"] = [
        *({"name": name, "values": rows} for name, rows in given.items()),
        *spec["data"],
    ]
    return vl_convert.vega_to_svg(spec | {"config": CONFIG, "padding": 4})


@cache
def _specification(name: str) -> str:
    return (SPECIFICATIONS / f"{name}.vg.json").read_text("utf-8")


def _pieces(image: str) -> tuple[ElementTree.Element, str]:
    """The drawing without what a still picture needs not, and its box."""
    root = ElementTree.fromstring(image.replace(f' xmlns="{SVG}"', ""))
    for parent in root.iter():
        for child in [child for child in parent if _is_idle(child)]:
            parent.remove(child)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key in _IDLE or key.startswith("aria-"):
                del element.attrib[key]
            else:
                element.set(key, _LONG.sub(_rounded, value))
    return root, root.attrib["viewBox"]


def _is_idle(element: ElementTree.Element) -> bool:
    """Whether nobody sees it: frames of groups, and labels without room."""
    if element.tag == "path":
        return element.get("class") in ("background", "foreground")
    return element.tag == "text" and element.get("opacity") == "0"


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found.group()):.2f}".rstrip("0").removesuffix(".")


# For attributes and files: text as it is, escaped by whoever sets it.
BARE = Format(untrusted=lambda text: Markup(plain(text)), own=Markup)
DATE, CLOCK, MONTH = {"from": 5, "to": 10}, {"from": 11, "to": 16}, {"from": 0, "to": 7}
MAX_AXIS_LABELS = 7
# Bars that fit on a screen.
MAX_TOPICS = 12


@dataclass(frozen=True)
class Picture:
    """One drawing: what it shows, how to read it, the drawing and its file's name."""

    title: str
    description: str
    svg: Markup
    file: str


def pictures_of(
    rows: Mapping[str, Any], *, words: Words, named: str
) -> dict[str, Picture]:
    """A report's drawings by name, without those that have nothing to show."""
    provenance = rows["provenance"]
    kind = provenance["window_kind"]
    spotlight = words.word("ecosystem_name", provenance["spotlight_ecosystem"] or "")
    said = {group: words.word(group, kind) for group in ("span", "spans", "stepwise")}
    is_comparable = bool(rows["summary"] and rows["summary"]["is_comparable"])
    known = [row for row in rows["trend"] if row["trend_window_id"] is not None]
    counts = rows["headline_counts"] or {}
    medians = {
        name: counts.get(f"{name}_count_median") if is_comparable else None
        for name in LISTINGS
    }
    drawings: dict[str, tuple[str, Mapping[str, Table], Mapping[str, str]]] = {}
    if len(known) > 1:
        names = {name: words.word("count", name) for name in LISTINGS}
        drawings["trend"] = ("panels", _trend(known, medians), names)
    if len(known) > 1 and provenance["spotlight_ecosystem"]:
        drawings["share"] = ("bars", _share(known), {})
    if any(hour["human_comment_count"] for hour in rows["comment_hours"]):
        drawings["heat"] = ("bars", _hours(rows["comment_hours"]), {})
    compared = [
        row
        for row in rows["topics"]
        if is_comparable and row["share"] is not None and row["usual_share"] is not None
    ]
    if compared:
        names = {row["topic"]: row[f"title_{words.language}"] for row in compared}
        drawings["topics"] = ("pairs", _topics(compared[:MAX_TOPICS]), names)
    told = {**said, "name": spotlight}
    return {
        name: _picture(name, specification, tables, words, named, told, shown)
        for name, (specification, tables, shown) in drawings.items()
    }


def sparkline(values: Sequence[float | None]) -> Markup:
    """A line 24 pixels tall that tells a count's way up to now; nothing for one value.

    It repeats the table of the trend, so that no screen reader need tell it.
    """
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    if len(known) < 2:
        return Markup("")
    top = max(value for _, value in known) or 1
    step = 100 / (len(values) - 1)
    points = [f"{at * step:.1f},{22 - 20 * value / top:.1f}" for at, value in known]
    last_x, last_y = points[-1].split(",")
    return Markup(
        '<svg class="spark" viewBox="-2 0 104 24" aria-hidden="true">'
        f'<polyline points="{" ".join(points)}"/>'
        f'<circle cx="{last_x}" cy="{last_y}" r="2"/></svg>'
    )


def _trend(
    known: Sequence[Mapping[str, Any]], medians: Mapping[str, float | None]
) -> dict[str, Table]:
    panels, bars = [], []
    for name in LISTINGS:
        rows = _points(known, f"{name}_count")
        most = max((row["value"] or 0 for row in rows), default=0)
        top = max(most, medians[name] or 0) or 1
        panels.append(
            {"measure": name, "median": medians[name], "most": most, "top": top}
        )
        bars += [{"measure": name, **row} for row in rows]
    labels = [_label(row) for row in known]
    return {"panels": panels, "rows": bars, **_axis(labels), "label": [_cut(labels)]}


def _share(known: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
    labels = [_label(row) for row in known]
    form = {**_cut(labels), "format": ".0%", "step": 0.01}
    rows = _points(known, "ecosystem_thread_share")
    return {"rows": rows, **_axis(labels), "medians": [], "label": [form]}


def _hours(hours: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
    told = [hour for hour in hours if hour["bucket_start_at"] is not None]
    labels = [hour["bucket_start_at"].isoformat() for hour in told]
    hourly = all(hour["bucket_hours"] <= 1 for hour in told)
    rows = [
        {"at": at, "value": hour["human_comment_count"], "is_now": True}
        for at, hour in zip(labels, told, strict=True)
    ]
    form = {**(CLOCK if hourly else DATE), "format": ",d", "step": 1}
    return {"rows": rows, **_axis(labels), "medians": [], "label": [form]}


def _topics(rows: Sequence[Mapping[str, Any]]) -> dict[str, Table]:
    return {
        "rows": [
            {
                "name": row["topic"],
                "value": row["share"],
                "before": row["usual_share"],
                "shown": percent(row["share"]),
            }
            for row in rows
        ]
    }


def _points(known: Sequence[Mapping[str, Any]], column: str) -> list[dict[str, Any]]:
    return [
        {"at": _label(row), "value": row[column], "is_now": row is known[-1]}
        for row in known
    ]


def _label(row: Mapping[str, Any]) -> str:
    """A date as it stands along an axis: a month goes without its day."""
    day = str(row["trend_date"])[:10]
    return day[:7] if row["trend_window_id"].split(":")[1] == "month" else day


def _cut(labels: Sequence[str]) -> dict[str, int]:
    return MONTH if len(labels[0]) == MONTH["to"] else DATE


def _axis(places: Sequence[str]) -> dict[str, Table]:
    """All places along the axis, and the few with a label: measuring text is slow."""
    step = -(-len(places) // MAX_AXIS_LABELS)
    return {
        "ticks": [{"at": place} for place in places],
        "told": [{"at": place} for place in places[::-1][::step]],
    }


def _picture(
    name: str,
    specification: str,
    tables: Mapping[str, Table],
    words: Words,
    named: str,
    said: Mapping[str, str],
    shown: Mapping[str, str],
) -> Picture:
    with_median = any(row["median"] is not None for row in tables.get("panels", []))
    read = "counts" if name == "trend" and not with_median else name
    title = str(words.say(f"picture.{name}", BARE, **said))
    description = str(words.say(f"picture.{read}_read", BARE, **said))
    svg = drawn(
        specification,
        tables,
        name=name,
        title=title,
        description=description,
        words=shown,
    )
    return Picture(title, description, svg, f"{named}.{name}.svg")
