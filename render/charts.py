"""Series in, SVG out: Vega draws, by the specifications in `static/charts`.

A picture is the same bytes for the same data: Vega runs in the process, asks nobody
for anything and knows no clock. It holds no word of a stranger, only our own names and
numbers, and no colour of its own: the page sets those (`--chart-…`), a picture file
brings them along.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import vl_convert
from markupsafe import Markup, escape

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
