"""A report that can be posted as an issue, a discussion or a comment. Pure.

On GitHub a link to a thread is an act: it writes "mentioned in …" into the thread's
timeline, and a report links hundreds. `redirect.github.com` leads to the same page
and mentions nobody. A body holds 65,536 characters, so the document is also cut, at the
ends of rows.
"""

import re
from collections.abc import Callable

LIMIT = 60_000
"""Characters; what GitHub adds around a body has room left."""

_THREAD_LINK = re.compile(
    r"\]\(https://(?:www\.)?github\.com(?=/[^/\s)]+/[^/\s)]+/(?:issues|pull)/\d)"
)
# Pictures and evidence are files beside the report, which a post does not have.
_EVIDENCE = re.compile(r" ?\[(?:▸[^\]]*|([^\]]*))\]\([^)]*\.evidence\.md#[^)]*\)")
_PICTURE = re.compile(r"^!\[.*\]\(.*\)\n+", re.MULTILINE)


def postable(document: str, *, appendix: str, more: Callable[[int], str]) -> str:
    """The Markdown report, links mentioning nobody, in at most `LIMIT` characters.

    `appendix` is the heading line from which the lists in full begin: their rows go
    first, each list keeping as many as any other. `more` says how many rows are left
    out. Links to files beside the report go as well.
    """
    alone = _EVIDENCE.sub(lambda found: f" {found[1]}" if found[1] else "", document)
    quiet = _THREAD_LINK.sub("](https://redirect.github.com", alone)
    body, found, lists = _PICTURE.sub("", quiet).partition(f"\n{appendix}\n")
    lines = (found + lists).splitlines(keepends=True)
    longest = max(map(len, _runs(lines)), default=0)
    fitting = next(
        (
            cut
            for kept in _fewer(longest)
            if len(cut := body + _shortened(lines, kept, more)) <= LIMIT
        ),
        None,
    )
    return fitting or _cut(body, more)


def _fewer(longest: int) -> list[int]:
    """How many rows of each list to try: all, then a twentieth fewer each time."""
    step = max(1, longest // 20)
    return [*range(longest, 0, -step), 0]


def _runs(lines: list[str]) -> list[list[str]]:
    """The rows that follow one another, run by run."""
    runs: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("- "):
            runs[-1].append(line)
        elif runs[-1]:
            runs.append([])
    return runs


def _shortened(lines: list[str], kept: int, more: Callable[[int], str]) -> str:
    """The lists with at most `kept` rows in a run, and a row for those left out."""
    out: list[str] = []
    position = 0
    for line in [*lines, ""]:
        is_row = line.startswith("- ")
        if not is_row and position > kept:
            out.append(f"- {more(position - kept)}\n")
        position = position + 1 if is_row else 0
        if not is_row or position <= kept:
            out.append(line)
    return "".join(out)


def _cut(body: str, more: Callable[[int], str]) -> str:
    """The body up to the last blank line that fits, and how many lines are left out."""
    blocks = body.split("\n\n")
    kept = len(blocks)
    while kept and len("\n\n".join(blocks[:kept])) > LIMIT - 200:
        kept -= 1
    left_out = sum(block.count("\n") + 1 for block in blocks[kept:])
    return "\n\n".join([*blocks[:kept], f"{more(left_out)}\n"])
