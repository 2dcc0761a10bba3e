"""Who reads the published history is never in the way, and never sees half of it.

Readers hold the file open and ask without pause while a whole run fetches, builds,
publishes and renders beside them; then builds are killed in their middle.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import duckdb
import pytest

from sample.repository import World
from sample.server import serve
from tests.dbt.chain import (
    ROOT,
    Chain,
    at,
    comment,
    differing,
    event,
    issue,
    pull,
    world,
)

SHELL = Path(sys.executable).parent / "duckdb"

# Which days are told, and whether the tables of one moment agree with each other.
QUESTION = """
select
    (select string_agg(window_id, ' ' order by window_id) from marts.windows)
    || case
        when
            (select count(*) from reports.rpt_listed_threads) = (
                select sum(
                    new_issue_count + closed_issue_count + new_pr_count
                    + merged_pr_count + closed_unmerged_pr_count
                )
                from reports.rpt_headline_counts
            )
            and (select count(*) from reports.rpt_provenance)
            = (select count(*) from marts.windows)
            then ' whole'
        else ' torn'
    end
"""
ASK = " ".join(QUESTION.split())

# Asks the same connection again and again; or, as `anew`, a new one each time.
READER = f"""
import duckdb, json, sys
def connect():
    return duckdb.connect(sys.argv[1], read_only=True)
held = connect()
for line in sys.stdin:
    try:
        asked = held if sys.argv[2] == "held" else connect()
        print(json.dumps(asked.execute({ASK!r}).fetchone()[0]), flush=True)
        if asked is not held:
            asked.close()
    except Exception as error:
        print(json.dumps(f"error: {{error}}"), flush=True)
    if sys.argv[2] == "anew":
        held.close()
"""


class Reader:
    """A process that reads, asked without pause from a thread of its own."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.answers: list[str] = []
        self._asked_enough = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def start(self) -> None:
        """Begin to ask, and wait for the first answer."""
        self.answers.append(self._answer())
        self._thread.start()

    def stop(self) -> None:
        """Ask once more, and end."""
        self._asked_enough.set()
        self._thread.join()
        self.answers.append(self._answer())
        self._process.communicate(timeout=20)

    def _ask(self) -> None:
        while not self._asked_enough.wait(0.1):
            self.answers.append(self._answer())

    def _answer(self) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{ASK};\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip().strip('"')


def readers_of(history: Path) -> dict[str, Reader]:
    python = (sys.executable, "-c", READER, str(history))
    shell = (str(SHELL), "-readonly", "-noheader", "-list", str(history))
    return {
        "held": Reader(*python, "held"),
        "anew": Reader(*python, "anew"),
        "shell": Reader(*shell),
    }


@contextmanager
def reading(history: Path) -> Iterator[dict[str, Reader]]:
    with ExitStack() as stack:
        readers = readers_of(history)
        for reader in readers.values():
            reader.start()
            stack.callback(reader.stop)
        yield readers


def killed_in_the_middle(chain: Chain, schema: str) -> list[str]:
    """Kill a build when its first model of a schema is made; what it had said."""
    said: list[str] = []
    with subprocess.Popen(
        [*chain.building(), "--no-use-colors"],
        cwd=ROOT,
        env=chain.env,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as build:
        assert build.stdout is not None
        for line in build.stdout:
            said.append(line)
            if re.search(rf"OK created sql \w+ model {schema}\.", line):
                os.killpg(build.pid, signal.SIGKILL)
                break
    assert build.returncode == -signal.SIGKILL
    return said


def days_of(history: Path) -> str:
    with duckdb.connect(str(history), read_only=True) as connection:
        row = connection.execute(QUESTION).fetchone()
    assert row is not None
    return str(row[0])


NEXT_DAY: World = world(
    issue(6, "05 05:00"),
    pull(7, "05 06:00"),
    event(2, "05 07:00", "closed"),
    comment(6, "05 08:00"),
)
THIRD_DAY: World = NEXT_DAY.with_rows(
    issue(8, "06 05:00"), event(7, "06 06:00", "merged"), event(7, "06 06:00", "closed")
)
OLD = "sample:day:2026-03-04 whole"
NEW = "sample:day:2026-03-04 sample:day:2026-03-05 whole"


class Days:
    """Three days of the chain: one alone, one among readers, one with kills."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        chain.report()
        chain.github.become(NEXT_DAY, now=at("06 04:00"))
        chain.day = "2026-03-05"
        with reading(chain.history) as readers:
            chain.report()
        self.answers = {name: reader.answers for name, reader in readers.items()}
        self.opened_after = days_of(chain.history)
        self._kill()
        chain.report()
        self.completed = days_of(chain.history)
        self.before = chain.rebuilt()

    def _kill(self) -> None:
        chain = self.chain
        chain.github.become(THIRD_DAY, now=at("07 04:00"))
        chain.day = "2026-03-06"
        chain.fetch("cover")
        before = chain.history.read_bytes()
        self.said = [killed_in_the_middle(chain, one) for one in ("marts", "reports")]
        self.read_after_kill = days_of(chain.history)
        self.is_untouched = chain.history.read_bytes() == before


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Days]:
    with serve(world(), now=at("05 04:00")) as github:
        yield Days(Chain(tmp_path_factory.mktemp("read"), github))


@pytest.mark.parametrize("name", ["held", "shell"])
def test_a_reader_that_holds_the_history_through_a_whole_run_sees_it_stand_still(
    days: Days, name: str
) -> None:
    assert len(days.answers[name]) > 20
    assert set(days.answers[name]) == {OLD}


def test_one_that_opens_it_again_and_again_sees_the_old_days_then_the_new(
    days: Days,
) -> None:
    answers = days.answers["anew"]
    assert len(answers) > 20
    assert answers[-1] == NEW
    change = answers.index(NEW)
    assert change > 0
    assert set(answers[:change]) == {OLD}
    assert set(answers[change:]) == {NEW}


def test_one_that_opens_it_after_the_run_sees_the_new_days(days: Days) -> None:
    assert days.opened_after == NEW


def test_the_shell_is_of_the_version_that_analysts_have() -> None:
    shown = subprocess.run(
        [SHELL, "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith("v1.5.")


def test_a_build_that_is_killed_leaves_yesterday_readable(days: Days) -> None:
    assert days.read_after_kill == NEW
    assert days.is_untouched
    # The kills came in the middle: there was more to make.
    for said in days.said:
        last = re.search(r"(\d+) of (\d+) OK created", said[-1])
        assert last
        assert int(last[1]) < int(last[2])


def test_the_next_run_completes_what_was_killed_and_is_right(days: Days) -> None:
    assert days.completed == NEW.replace(" whole", " sample:day:2026-03-06 whole")
    assert differing(days.before, days.chain.warehouse) == []
    assert differing(days.chain.history, days.chain.warehouse) == []
