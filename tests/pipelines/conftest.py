from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import hypothesis
import pytest
import tenacity

from pipelines import commands, progress
from pipelines.__main__ import SILENCE
from pipelines.github import client
from pipelines.projects import Project, Settings
from pipelines.windows import calendar_window
from tests.pipelines.scripted import SLUG, FakeGitHub, served

os.environ.update(SILENCE)
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")

VLLM = Project(
    name="vllm",
    title="vLLM",
    repository=SLUG,
    time_zone="Asia/Shanghai",
    window_start="11:24",
    languages=("zh", "en"),
    spotlight="amd",
)
OF_DAY = partial(calendar_window, "vllm", "day", clock=VLLM.clock, zone=VLLM.zone)
MARCH_4 = date(2026, 3, 4)


@pytest.fixture(autouse=True)
def _no_time_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BACKOFF", tenacity.wait_none())
    # A busy machine makes short work long, and what is said of it is not the point.
    monkeypatch.setattr(progress, "QUIET_SECONDS", 600.0)


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with served(FakeGitHub()) as one:
        yield one


class Bench:
    """One warehouse that can be filled from a fake GitHub, and looked into."""

    def __init__(self, path: Path, github: FakeGitHub) -> None:
        self.path = path
        self.github = github
        self.said: list[str] = []

    def settings(self, **changes: Any) -> Settings:
        values: dict[str, Any] = {
            "project": VLLM,
            "projects": (VLLM,),
            "api_url": self.github.url,
            "warehouse": self.path,
            "token": None,
            "baseline_days": 0,
            "allow_partial": False,
            "max_wait": 5.0,
            "lock_wait": 0.0,
        }
        return Settings(**{**values, **changes})

    def cover(self, day: date | None = MARCH_4, **changes: Any) -> str:
        return commands.cover(self.settings(**changes), OF_DAY, day, self.said.append)

    def sync(self, **changes: Any) -> str:
        return commands.sync(self.settings(**changes), OF_DAY, self.said.append)

    def backfill(self, first: date, last: date | None, **changes: Any) -> str:
        until = OF_DAY(last) if last else None
        settings = self.settings(**changes)
        return commands.backfill(settings, OF_DAY(first), until, self.said.append)

    def rows(self, sql: str) -> list[Any]:
        with duckdb.connect(str(self.path)) as connection:
            connection.execute("set global timezone = 'UTC'")
            return connection.execute(sql).fetchall()

    def covered(self, stream: str) -> list[tuple[str, str]]:
        return self.rows(
            "select strftime(covered_from, '%m-%d %H:%M:%S'),"
            " strftime(covered_until, '%m-%d %H:%M:%S') from raw_github.coverage"
            f" where stream = '{stream}' order by 1"
        )


@pytest.fixture
def bench(tmp_path: Path, github: FakeGitHub) -> Bench:
    return Bench(tmp_path / "data" / "warehouse.duckdb", github)
