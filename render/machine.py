"""The report for other machines: its context as JSON, and the schema of that. Pure.

The document is the context as it is, so that it cannot say anything else than the
prose: language-neutral keys and numbers, times with their offset, texts as GitHub sent
them. `schema/report.schema.json` is made from the types and documentation of
`context.py`; a test holds the two together.
"""

import ast
import dataclasses
import inspect
import json
import types
import typing
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from render import context

VERSION = 1
"""Of the document's shape: raised when a field is renamed, dropped or retyped."""
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_PATH = Path(__file__).parent / "schema" / "report.schema.json"

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def document(report: context.Report) -> str:
    """The report as JSON text, keys in the order of `context.py`."""
    content = {"schema_version": VERSION, **dataclasses.asdict(report)}
    return (
        json.dumps(
            content, ensure_ascii=False, indent=1, default=_timed, allow_nan=False
        )
        + "\n"
    )


def schema() -> str:
    """The JSON Schema of such documents, as text."""
    parts = sorted(_parts(), key=lambda part: part.__name__)
    root = _object(context.Report)
    root["properties"] = {"schema_version": {"const": VERSION}, **root["properties"]}
    root["required"] = ["schema_version", *root["required"]]
    whole = {
        "$schema": SCHEMA_ID,
        "title": "A report of LLM Dev Highlights",
        **root,
        "$defs": {
            part.__name__: _object(part) for part in parts if part is not context.Report
        },
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _timed(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _parts() -> Iterator[type]:
    for _, part in inspect.getmembers(context, inspect.isclass):
        if dataclasses.is_dataclass(part) and isinstance(part, type):
            yield part


def _object(part: type) -> dict[str, Any]:
    said = _documentation(part)
    hints = typing.get_type_hints(part)
    names = [field.name for field in dataclasses.fields(part)]
    return {
        "description": inspect.getdoc(part),
        "type": "object",
        "properties": {
            name: {"description": said[name], **_value(hints[name])} for name in names
        },
        "required": names,
        "additionalProperties": False,
    }


def _value(hint: Any) -> dict[str, Any]:
    """The schema of a field's type: a part, a row of them, a plain value or null."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if isinstance(hint, types.UnionType):
        return {"anyOf": [_value(option) for option in typing.get_args(hint)]}
    if typing.get_origin(hint) is tuple:
        return {"type": "array", "items": _value(typing.get_args(hint)[0])}
    if typing.get_origin(hint) is Mapping:
        value = _value(typing.get_args(hint)[1])
        return {"type": "object", "additionalProperties": value}
    if hint is datetime:
        return {"type": "string", "format": "date-time"}
    if hint is types.NoneType:
        return {"type": "null"}
    return {"type": _PLAIN[hint]}


def _documentation(part: type) -> dict[str, str]:
    """Each field's docstring: the text that follows it in the source."""
    [body] = ast.parse(inspect.getsource(part)).body
    assert isinstance(body, ast.ClassDef)
    said = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            said[field.target.id] = " ".join(str(after.value.value).split())
    return said
