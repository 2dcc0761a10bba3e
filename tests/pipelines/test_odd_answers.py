"""Answers in which anything may stand: no run fails over what GitHub says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelines import commands
from pipelines.errors import attempted
from pipelines.github import client
from pipelines.github.client import Page, to_page
from sample.server import Github, serve
from tests.pipelines import test_details, test_reconcile, test_targeted
from tests.pipelines.conftest import MARCH_4, VLLM, Bench
from tests.pipelines.scripted import FakeGitHub

SAMPLE = replace(VLLM, repository="example-org/sample-engine")

ODD = (
    *(None, True, False, 0, -1, 1.5, 2**70, 10**400),
    *("", "x", "\ud800", "a\x00b", "x" * 70_000, "2026-03-04T12:00:00"),
    *("0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"),
    *("https://github.com/o/r/issues/99999999999999999999", [], {}, [None], [[]]),
    *({"a": 1}, {"id": []}),
)

Place = tuple[str | int, ...]


def places(content: Any, here: Place = ()) -> Iterator[Place]:
    """Where something stands in a JSON document."""
    keys = content if isinstance(content, dict) else range(len(content))
    for key in keys:
        yield (*here, key)
        if isinstance(content[key], dict | list):
            yield from places(content[key], (*here, key))


def oddly(content: Any, chance: random.Random) -> Any:
    """The document with a few things lost, or others in their place."""
    content = deepcopy(content)
    for _ in range(chance.choice([1, 1, 2, 5])):
        *way, last = chance.choice([*places(content)] or [(None,)])
        inner = content
        for key in way:
            inner = inner[key]
        if last is None:
            return content
        if isinstance(inner, dict) and chance.random() < 0.2:
            del inner[last]
        else:
            inner[last] = deepcopy(chance.choice(ODD))
    return content


class Oddness:
    """Makes every third answer odd, always the same ones for a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, *answer: Any, **named: Any) -> Page:
        page = to_page(*answer, **named)
        chance = random.Random(f"{self.seed} {page.url.split('/', 3)[-1]}")
        if chance.random() > 0.3:
            return page
        return replace(page, content=oddly(page.content, chance))


def covering(bench: Bench) -> str:
    return bench.cover(MARCH_4, project=SAMPLE, projects=(SAMPLE,), token="t")


def reconciling(bench: Bench) -> str:
    settings = bench.settings(project=SAMPLE, projects=(SAMPLE,), baseline_days=28)
    return commands.reconcile(settings, bench.said.append)


def of_lists(github: Github, bench: Bench) -> None:
    github.become(test_details.DAY, now=test_details.NOW)


def of_graphql(github: Github, bench: Bench) -> None:
    github.become(test_details.DAY, now=test_details.NOW)
    node = test_details.node
    github.faults = test_details.graph(node(1), node(2))


def of_an_old_day(github: Github, bench: Bench) -> None:
    github.become(test_targeted.DAY, now=test_targeted.NOW)


def of_what_is_gone(github: Github, bench: Bench) -> None:
    github.become(test_reconcile.DAY, now=test_reconcile.LOADED_AT)
    covering(bench)
    github.travel(test_reconcile.MISSED_AT)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        (of_lists, covering),
        (of_graphql, covering),
        (of_an_old_day, covering),
        (of_what_is_gone, reconciling),
    ],
    ids=["lists", "graphql", "an old day", "what is gone"],
)
def test_whatever_stands_in_an_answer_a_run_is_done_or_says_what_is_wrong(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[Github, Bench], None],
    act: Callable[[Bench], str],
    seed: int,
) -> None:
    with serve(test_details.DAY, now=test_details.NOW) as github:
        bench = Bench(tmp_path / "w.duckdb", FakeGitHub(url=github.url))
        prepare(github, bench)
        said: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr(client, "to_page", Oddness(seed))
            code = attempted(lambda: act(bench), debug=False, say=said.append)
        assert code in (0, 2, 3, 4), said
        act(bench)


def test_answers_do_become_odd() -> None:
    page = [{"id": 1, "user": {"login": "dev-017"}, "labels": ["bug"]}]
    odd = [oddly(page, random.Random(seed)) for seed in range(20)]
    assert sum(one != page for one in odd) > 15
