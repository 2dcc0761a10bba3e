"""The JSON Schema of a report's data, made from dbt's own column contracts.

The document is the rows of the report tables as they are; what a column means is told
by the YAML beside its model. `static/report.schema.json` is made by this; a test holds
the two together.
"""

import json
import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from render.report import VERSION
from render.warehouse import ORDERED, SINGLE

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_PATH = Path(__file__).parent / "static" / "report.schema.json"
MODELS = Path(__file__).parents[1] / "dbt_project" / "models"

_PLAIN: dict[str, dict[str, Any]] = {
    "varchar": {"type": "string"},
    "boolean": {"type": "boolean"},
    "integer": {"type": "integer"},
    "bigint": {"type": "integer"},
    "double": {"type": "number"},
    "date": {"type": "string", "format": "date"},
    "timestamptz": {"type": "string", "format": "date-time"},
}


def schema() -> str:
    """The JSON Schema of the documents, as text."""
    properties: dict[str, Any] = {
        "schema_version": {"const": VERSION},
        "tool_version": {"type": "string"},
    }
    for name in (*SINGLE, *ORDERED):
        row = _row(name)
        if name in SINGLE:
            properties[name] = {"anyOf": [row, {"type": "null"}]}
        else:
            properties[name] = {"type": "array", "items": row}
    whole = {
        "$schema": SCHEMA_ID,
        "title": "A report of LLM Dev Highlights",
        **_object(properties),
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def columns(name: str) -> dict[str, dict[str, Any]]:
    """The columns of a report table by name, as its YAML describes them."""
    text = (MODELS / "reports" / f"rpt_{name}.yml").read_text("utf-8")
    [model] = yaml.safe_load(text)["models"]
    return {column["name"]: column for column in model["columns"]}


def _row(name: str) -> dict[str, Any]:
    """A table's row; what a cell may be is told by its column, and any may be null."""
    docs = _docs()
    properties = {}
    for column, described in columns(name).items():
        said = re.sub(
            r"\{\{ doc\('(\w+)'\) \}\}",
            lambda found: docs[str(found[1])],
            described["description"],
        )
        properties[column] = {
            "description": " ".join(said.split()),
            "anyOf": [typed(described["data_type"]), {"type": "null"}],
        }
    return _object(properties)


def typed(data_type: str) -> dict[str, Any]:
    """The schema of a column's type: a plain one, a struct, or a list of either.

    >>> typed("varchar[]")
    {'type': 'array', 'items': {'type': 'string'}}
    """
    text = data_type.strip()
    if text.endswith("[]"):
        return {"type": "array", "items": typed(text[:-2])}
    if text.startswith("struct("):
        fields = dict(field.split(None, 1) for field in _split(text[7:-1]))
        return _object(
            {
                name: {"anyOf": [typed(kind), {"type": "null"}]}
                for name, kind in fields.items()
            }
        )
    return _PLAIN[text]


def _split(fields: str) -> list[str]:
    """The fields of a struct, at its own commas."""
    parts, depth = [""], 0
    for char in fields:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _docs() -> dict[str, str]:
    """dbt's doc blocks by name."""
    text = "".join(path.read_text("utf-8") for path in sorted(MODELS.rglob("*.md")))
    found = re.findall(r"\{% docs (\w+) %\}(.*?)\{% enddocs %\}", text, re.DOTALL)
    return {name: " ".join(said.split()) for name, said in found}
