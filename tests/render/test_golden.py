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
