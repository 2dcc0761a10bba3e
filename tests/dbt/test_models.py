"""Laws of the models' files; each test lists all that break one."""

import re
from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).parents[2] / "dbt_project"
MODELS = sorted((PROJECT / "models").rglob("*.sql"))
SQL = sorted(
    path
    for folder in ("models", "macros", "data_tests")
    for path in (PROJECT / folder).rglob("*.sql")
)
CLOCKS = (
    r"(?<!@)\b(current_timestamp|current_date|current_time|now|today|get_current_\w+)\b"
)
MODEL_KEYS = ["name", "description", "config", "columns", "data_tests"]
COLUMN_KEYS = {"name", "data_type", "description", "data_tests"}


def code_of(path: Path) -> str:
    """The SQL without its comments."""
    return re.sub(r"--.*|(?s:/\*.*?\*/|\{#.*?#\})", "", path.read_text("utf-8"))


def described() -> list[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Per model: its name, its YAML's one model, and its unit tests."""
    found = []
    for path in MODELS:
        document = yaml.safe_load(path.with_suffix(".yml").read_text("utf-8"))
        (model,) = document["models"]
        found.append((path.stem, model, document.get("unit_tests", [])))
    return found


def matching(pattern: str) -> dict[str, list[str]]:
    """What of the SQL matches, by file."""
    found = {path.stem: re.findall(pattern, code_of(path)) for path in SQL}
    return {name: matches for name, matches in found.items() if matches}


def test_a_model_says_its_grain_first_and_its_columns_have_known_keys() -> None:
    offenders = []
    for name, model, _ in described():
        if (
            model["name"] != name
            or not model["description"].startswith("One row per ")
            or list(model) != [key for key in MODEL_KEYS if key in model]
        ):
            offenders.append(name)
        offenders += [
            f"{name}.{column['name']}"
            for column in model.get("columns", [])
            # An unquoted comma in a flow mapping would split a description into keys.
            if not set(column) <= COLUMN_KEYS
        ]
    assert offenders == []


def test_a_model_tests_its_primary_key() -> None:
    assert [
        name
        for name, model, _ in described()
        if not any("unique_together" in test for test in model.get("data_tests", []))
        and not any(
            all(test in column.get("data_tests", []) for test in ("not_null", "unique"))
            for column in model.get("columns", [])
        )
    ] == []


def test_a_unit_test_is_a_sentence_about_its_own_model() -> None:
    assert [
        unit_test["name"]
        for name, _, unit_tests in described()
        for unit_test in unit_tests
        if unit_test["model"] != name or unit_test["name"].count("_") < 3
    ] == []


def test_no_sql_asks_what_time_it_is() -> None:
    assert matching(CLOCKS) == {}


def test_no_sql_names_an_ecosystem() -> None:
    found = matching(r"(?i)\b(amd|rocm|nvidia)\b")
    # What a pasted environment dump says is text, not a choice.
    assert set(found) <= {"environment_dump_line"}


def test_no_window_is_tested_with_between_or_by_its_date() -> None:
    # `between current row and …` frames a window function.
    assert matching(r"(?i)(?<!range )(?<!rows )\bbetween\b") == {}
    assert matching(r"(?i)\bdate\(") == {}
