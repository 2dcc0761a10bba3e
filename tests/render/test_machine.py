"""Laws of the report as data: it fits its published schema, and says what prose says.

After a change of `render/context` that is meant, write the schema anew:

    REGENERATE=1 .venv/bin/python -m pytest tests/render/test_machine.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from render import machine
from tests.render import built
from tests.render.documents import report_of


def published() -> dict[str, object]:
    found: dict[str, object] = json.loads(machine.SCHEMA_PATH.read_text("utf-8"))
    return found


def data(path: Path, window_id: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(machine.document(report_of(path, window_id)))
    return found


def test_the_published_schema_is_that_of_the_context() -> None:
    if os.environ.get("REGENERATE") == "1":
        machine.SCHEMA_PATH.write_text(machine.schema(), "utf-8")
    jsonschema.Draft202012Validator.check_schema(published())
    assert machine.SCHEMA_PATH.read_text("utf-8") == machine.schema()


@pytest.mark.parametrize("window_id", [built.DAY, built.EMPTY_DAY])
def test_a_report_fits_the_published_schema(warehouse: Path, window_id: str) -> None:
    checker = jsonschema.Draft202012Validator(
        published(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    assert list(checker.iter_errors(data(warehouse, window_id))) == []


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("counts", 0, "count"), "22"),
        (("window", "start_at"), 5),
        (("listings", 0, "threads", 0, "labels"), None),
        (("summary",), "quiet"),
        (("new_field",), 1),
    ],
)
def test_the_schema_refuses_what_a_report_never_is(
    warehouse: Path, path: tuple[str | int, ...], wrong: object
) -> None:
    report: object = data(warehouse, built.DAY)
    place: object = report
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = wrong  # type: ignore[index]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, published())


def test_texts_are_as_github_sent_them_and_times_keep_their_offset(
    warehouse: Path,
) -> None:
    report = data(warehouse, built.DAY)
    assert report["listings"][0]["threads"][1]["title"] == built.HOSTILE
    assert report["window"]["start_at"] == "2026-03-04T11:24:00+08:00"
    assert report["schema_version"] == 1


def test_no_field_is_without_its_documentation() -> None:
    schema = published()
    for part in (schema, *schema["$defs"].values()):
        assert part["description"]
        for name, field in part["properties"].items():
            assert field.get("description") or name == "schema_version"
