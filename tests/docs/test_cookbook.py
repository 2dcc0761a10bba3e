"""Every answer that the cookbook shows is the one that its query gives on the sample.

After a change that is meant: REGENERATE=1 .venv/bin/python -m pytest tests/docs
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import duckdb
import pytest

from tests.docs.recipes import Recipe, as_table, recipes_of, settings_of, with_results
from tests.render.sample_day import ROOT

PAGE = ROOT / "docs" / "cookbook.md"
TEXT = PAGE.read_text("utf-8")
RECIPES = recipes_of(TEXT)
# As chaoss.community spells them.
CHAOSS = {
    "Activity Dates and Times",
    "Bot Activity",
    "Burstiness",
    "Change Request Acceptance Ratio",
    "Change Request Closure Ratio",
    "Change Request Reviews",
    "Change Requests",
    "Change Requests Accepted",
    "Change Requests Declined",
    "Change Requests Duration",
    "Code Changes Lines",
    "Collaboration Platform Activity",
    "Contributor Absence Factor",
    "Contributors",
    "Inactive Contributors",
    "Issue Age",
    "Issue Resolution Duration",
    "Issue Response Time",
    "Issues Closed",
    "Issues New",
    "New Contributors",
    "Occasional Contributors",
    "Review Cycle Duration within a Change Request",
    "Time to Close",
    "Time to First Response",
}


@pytest.fixture
def analyst(
    history: duckdb.DuckDBPyConnection,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published history with the page's settings pasted."""
    history.execute(settings_of(TEXT))
    yield history


def answer(analyst: duckdb.DuckDBPyConnection, recipe: Recipe) -> str:
    cursor = analyst.execute(recipe.query)
    assert cursor.description
    return as_table([column[0] for column in cursor.description], cursor.fetchall())


READ = pytest.mark.skipif("REGENERATE" in os.environ, reason="the page is written anew")


@READ
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.question)
def test_a_query_gives_the_answer_that_the_page_shows(
    analyst: duckdb.DuckDBPyConnection, recipe: Recipe
) -> None:
    assert answer(analyst, recipe) == recipe.result


@pytest.mark.skipif("REGENERATE" not in os.environ, reason="only when asked")
def test_the_page_is_written_anew(analyst: duckdb.DuckDBPyConnection) -> None:
    results = {recipe.question: answer(analyst, recipe) for recipe in RECIPES}
    PAGE.write_text(with_results(TEXT, results), "utf-8")


@READ
def test_every_question_has_a_query_and_a_few_rows_of_answer() -> None:
    assert len(RECIPES) >= 24
    # Whatever looks like a question is one: none is passed over by the parser.
    assert [one.question for one in RECIPES] == re.findall(r"^### (.+)$", TEXT, re.M)
    for recipe in RECIPES:
        assert 3 <= len(recipe.result.splitlines()) <= 10, recipe.question


def test_every_metric_is_named_as_chaoss_names_it() -> None:
    named = set()
    for recipe in RECIPES:
        told = re.search(r"^CHAOSS: (.*?)\.$", recipe.prose, re.M | re.S)
        if told:
            for name in re.split(r"[;,] ?", " ".join(told[1].split())):
                name = re.sub(r"^for issues |^formerly Bus Factor", "", name)
                named |= {name} - {""}
    assert named - CHAOSS == set()
    assert len(named) > 15


def test_queries_ask_published_tables_only() -> None:
    told = "".join(recipe.query for recipe in RECIPES) + settings_of(TEXT)
    schemas = set(re.findall(r"(?<!distinct )(?:from|join)\s+(\w+)\.\w+", told))
    assert schemas == {"marts", "reports"}


def test_a_query_names_no_project_and_no_ecosystem() -> None:
    """Settings are changed in one place."""
    for recipe in RECIPES:
        assert re.findall(r"'(sample|vllm|amd)\b", recipe.query) == [], recipe.question


def test_the_readme_says_how_many_questions_there_are() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"answers {len(RECIPES)} questions" in readme
