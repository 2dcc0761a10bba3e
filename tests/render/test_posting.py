"""Laws of the report that is posted: it mentions nobody and is short enough."""

from __future__ import annotations

import re

from render.escaping import markdown
from render.posting import LIMIT, postable

HEADING = "## Lists"
LIVE = re.compile(r"https://github\.com/[^/\s]+/[^/\s]+/(?:issues|pull)/\d+")


def more(count: int) -> str:
    return f"and {count} more"


def row(number: int, title: str) -> str:
    url = f"https://github.com/vllm-project/vllm/pull/{number}"
    return f"- [#{number}]({url}) {markdown(title)} — no labels — by dev-001"


def report(rows: int, title: str = "A title", body: str = "Body.") -> str:
    lists = [f"### List {n}\n\n" + "\n".join(rows_of(n, rows, title)) for n in (1, 2)]
    return (
        "\n\n".join([f"# Report\n\n{body}\n\n{HEADING}", *lists]) + "\n\n---\n\nEnd\n"
    )


def rows_of(listing: int, rows: int, title: str) -> list[str]:
    return [row(listing * 1000 + n, title) for n in range(rows)]


def posted(document: str) -> str:
    return postable(document, appendix=HEADING, more=more)


def test_a_posted_report_mentions_no_thread_and_still_links_each_of_them() -> None:
    document = report(
        3, body="See [#7](https://github.com/a/b/issues/7#issuecomment-1)."
    )
    told = posted(document)
    assert not LIVE.search(told)
    assert told.replace("redirect.github.com", "github.com") == document


def test_six_hundred_rows_of_the_longest_titles_are_no_longer_than_a_body() -> None:
    told = posted(report(300, "漢" * 256))
    assert len(told) <= LIMIT < 65_536
    rows = [line for line in told.split("\n") if line.startswith("- ")]
    kept = [line for line in rows if line.startswith("- [#")]
    assert len(kept) > 100
    assert all(line.endswith("by dev-001") for line in kept)
    left_out = [int(n) for n in re.findall(r"^- and (\d+) more$", told, re.MULTILINE)]
    assert len(left_out) == 2
    assert len(kept) + sum(left_out) == 600
    assert told.endswith("---\n\nEnd\n")


def test_a_short_report_keeps_all_its_rows() -> None:
    assert "more" not in posted(report(3))


def test_a_body_that_is_too_long_by_itself_is_cut_between_blocks() -> None:
    blocks = [
        f"[#{n}](https://github.com/a/b/issues/{n}) {'x' * 90}" for n in range(999)
    ]
    told = posted(report(3, body="\n\n".join(blocks)))
    assert len(told) <= LIMIT
    kept, _, last = told.rstrip("\n").rpartition("\n\n")
    assert kept.endswith("x" * 90)
    assert re.fullmatch(r"and \d+ more", last)


def test_a_picture_beside_the_report_is_not_posted() -> None:
    assert "trend.svg" not in posted(report(1, body="![Trend](day.trend.svg)\n\nText."))
