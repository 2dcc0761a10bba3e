"""Every model explains itself beside its SQL, and none asks what time it is."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2] / "dbt_project"
MODELS = sorted((PROJECT / "models").rglob("*.sql"))
TWINS = [path.with_suffix(".yml") for path in MODELS]
SQL = sorted(
    path
    for folder in ("models", "macros", "data_tests")
    for path in (PROJECT / folder).rglob("*.sql")
)
CLOCKS = r"\b(current_timestamp|current_date|current_time|now|today|get_current_\w+)\b"
MODEL_KEYS = ["name", "description", "config", "columns", "data_tests"]
COLUMN_KEYS = {"name", "data_type", "description", "data_tests"}


def name_of(path: Path) -> str:
    return path.stem


def code_of(path: Path) -> str:
    """The SQL without its comments."""
    return re.sub(r"--.*|(?s:/\*.*?\*/|\{#.*?#\})", "", path.read_text("utf-8"))


def described_in(twin: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A YAML's one model, and its unit tests."""
    document = yaml.safe_load(twin.read_text(encoding="utf-8"))
    (model,) = document["models"]
    return model, document.get("unit_tests", [])


@pytest.mark.parametrize("twin", TWINS, ids=name_of)
def test_a_model_says_its_grain_first_and_what_each_column_is(twin: Path) -> None:
    model, _ = described_in(twin)
    assert model["name"] == twin.stem
    assert model["description"].startswith("One row per ")
    assert list(model) == [key for key in MODEL_KEYS if key in model]
    for column in model["columns"]:
        assert column["description"].strip(), column
        # An unquoted comma in a flow mapping would split a description into keys.
        assert set(column) <= COLUMN_KEYS, column


@pytest.mark.parametrize("twin", TWINS, ids=name_of)
def test_a_model_tests_its_primary_key(twin: Path) -> None:
    if twin.stem.startswith("stg_pipelines__quarantine"):
        return  # What could not be stored may lack any key.
    model, _ = described_in(twin)
    single = any(
        all(test in column.get("data_tests", []) for test in ("not_null", "unique"))
        for column in model["columns"]
    )
    compound = any("unique_together" in test for test in model.get("data_tests", []))
    assert single or compound


@pytest.mark.parametrize("twin", TWINS, ids=name_of)
def test_a_unit_test_is_a_sentence_about_its_own_model(twin: Path) -> None:
    model, unit_tests = described_in(twin)
    for unit_test in unit_tests:
        assert unit_test["model"] == model["name"]
        assert unit_test["name"].count("_") >= 3, unit_test["name"]


@pytest.mark.parametrize("path", SQL, ids=name_of)
def test_no_sql_asks_what_time_it_is(path: Path) -> None:
    assert re.findall(CLOCKS, code_of(path).replace("@now", "")) == []


@pytest.mark.parametrize("path", SQL, ids=name_of)
def test_no_sql_names_an_ecosystem(path: Path) -> None:
    # What a pasted environment dump or a processor's name says is text, not a choice.
    if path.stem in ("environment_dump_line", "int_texts_cleaned"):
        return
    assert re.findall(r"(?i)\b(amd|rocm|nvidia)\b", code_of(path)) == []


@pytest.mark.parametrize("path", SQL, ids=name_of)
def test_no_window_is_tested_with_between_or_by_its_date(path: Path) -> None:
    text = code_of(path)
    # `between current row and …` frames a window function.
    assert re.findall(r"(?i)(?<!range )(?<!rows )\bbetween\b", text) == []
    assert re.findall(r"(?i)\bdate\(", text) == []
