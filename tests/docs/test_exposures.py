"""dbt's exposures say which tables the report, the site and the cookbook rest on."""

from __future__ import annotations

import re
from typing import Any

from render.warehouse import ORDERED, SINGLE, SITE_WINDOWS
from tests.docs.recipes import recipes_of, settings_of
from tests.render.sample_day import ROOT


def exposed(manifest: dict[str, Any]) -> dict[str, set[str]]:
    return {
        exposure["name"]: {
            node.rsplit(".", 1)[1] for node in exposure["depends_on"]["nodes"]
        }
        for exposure in manifest["exposures"].values()
    }


def test_the_report_is_exposed_with_the_tables_that_it_reads(
    manifest: dict[str, Any],
) -> None:
    read = {f"rpt_{name}" for name in (*SINGLE, *ORDERED)}
    assert exposed(manifest)["report"] == read
    built = {
        node["name"]
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model" and node["schema"] == "reports"
    }
    assert read == built


def test_the_site_is_exposed_with_the_tables_that_it_asks(
    manifest: dict[str, Any],
) -> None:
    asked = set(re.findall(r"reports\.(\w+)", SITE_WINDOWS)) | {"windows"}
    assert exposed(manifest)["site"] == asked


def test_the_cookbook_is_exposed_with_the_tables_that_it_asks(
    manifest: dict[str, Any],
) -> None:
    page = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
    told = settings_of(page) + "".join(recipe.query for recipe in recipes_of(page))
    # What is followed by arguments is a macro.
    asked = set(re.findall(r"(?:marts|reports)\.(\w+)\b(?!\()", told))
    assert exposed(manifest)["cookbook"] == asked
