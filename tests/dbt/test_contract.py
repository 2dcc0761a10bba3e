"""The tables that programs outside rely on have the columns that they were promised.

The promise is the public contract: at least these columns, in any order. The models'
YAML says which columns there are; a data test of the dbt project holds tables to it.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

MODELS = Path(__file__).parents[2] / "dbt_project" / "models"
COUNTS = """
    new_issue_count closed_issue_count new_pr_count merged_pr_count
    closed_unmerged_pr_count
"""
MEASURES = """
    comment_count human_comment_count participant_count comments_per_hour
    peak_hour_comment_count baseline_per_day velocity_ratio heat_score heat_level
    heat_rank
"""
CONTRACT = {
    "marts.windows": """
        window_id project window_kind window_date window_start_at window_end_at
        is_complete completeness
    """,
    "marts.threads": """
        thread_id project number kind title state state_reason is_draft author_login
        author_id is_bot_author labels created_at updated_at closed_at merged_at
        is_deleted url
    """,
    "marts.comments": """
        comment_id comment_kind thread_id author_login author_id is_bot created_at
        updated_at body
    """,
    "marts.thread_events": "event_id thread_id event actor_login label occurred_at",
    "marts.thread_windows": "window_id thread_id" + MEASURES,
    "marts.thread_ecosystems": "thread_id ecosystem score is_tagged evidence",
    "marts.coverage": "project stream covered_from covered_until loaded_at",
    "reports.rpt_headline_counts": "window_id"
    + COUNTS
    + " ".join(f"{count}_median" for count in COUNTS.split()),
    "reports.rpt_listed_threads": """
        window_id listing position thread_id number title labels author_login event_at
        url as_of_basis
    """,
    "reports.rpt_ecosystem_threads": """
        window_id ecosystem thread_id score is_author_only evidence
    """,
    "reports.rpt_hot_threads": "window_id thread_id" + MEASURES,
}


def columns_of(table: str) -> list[dict[str, Any]]:
    """The columns that the YAML beside the model of `schema.table` lists."""
    schema, name = table.split(".")
    (path,) = (MODELS / schema).rglob(f"{name}.yml")
    (model,) = yaml.safe_load(path.read_text(encoding="utf-8"))["models"]
    columns: list[dict[str, Any]] = model["columns"]
    return columns


@pytest.mark.parametrize("table", CONTRACT)
def test_a_promised_table_has_every_promised_column(table: str) -> None:
    have = [column["name"] for column in columns_of(table)]
    assert set(CONTRACT[table].split()) - set(have) == set()


REPORTS = sorted(path.stem for path in (MODELS / "reports").glob("rpt_*.sql"))


@pytest.mark.parametrize("table", REPORTS)
def test_every_column_of_a_report_table_has_its_type(table: str) -> None:
    untyped = [
        column["name"]
        for column in columns_of(f"reports.{table}")
        if not column.get("data_type")
    ]
    assert untyped == []


def test_the_report_tables_hold_their_contract_at_every_build() -> None:
    project = yaml.safe_load((MODELS.parent / "dbt_project.yml").read_text("utf-8"))
    reports = project["models"]["llm_dev_highlights"]["reports"]
    assert reports["+contract"] == {"enforced": True}
