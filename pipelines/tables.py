"""Plain text in columns, for whoever looks at a terminal. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def in_columns(lines: Sequence[Sequence[str]]) -> str:
    """The cells of the lines under each other, two blanks apart.

    >>> in_columns([("project", "code"), ("vllm", "0")])
    'project  code\\nvllm     0\\n'
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )
