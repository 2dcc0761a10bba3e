"""The hand-made day and the day of zeros, as whole documents, byte for byte.

After a change that is meant, write them anew and read the difference:

    REGENERATE=1 .venv/bin/python -m pytest tests/render/test_golden.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.render import built
from tests.render.documents import document

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("ending", ["md", "html"])
@pytest.mark.parametrize("window_id", [built.DAY, built.EMPTY_DAY])
def test_the_document_is_the_golden_one(
    warehouse: Path, window_id: str, ending: str, language: str
) -> None:
    rendered = document(warehouse, window_id, ending=ending, language=language)
    path = GOLDEN / f"{window_id[-10:]}.{language}.{ending}"
    if os.environ.get("REGENERATE") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(rendered.encode())
    assert rendered.encode() == path.read_bytes()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_quote_stands_behind_who_said_it_and_no_name_is_cut_in_silence(
    warehouse: Path, language: str
) -> None:
    rendered = document(warehouse, built.DAY, ending="md", language=language)
    [line] = [line for line in rendered.splitlines() if "[dev-004" in line]
    said, quoted, other = (line.index(one) for one in ("dev-003", "img", "dev-004"))
    assert said < quoted < other
    [line] = [line for line in rendered.splitlines() if "[dev-002" in line]
    assert line.rstrip().endswith({"zh": "另有 5 人", "en": "5 more"}[language])
