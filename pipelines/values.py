"""Reading single values of the command line; ValueError says what is wrong with one."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def whole(text: str, name: str, least: int, most: int) -> int:
    """A whole number within bounds, written in plain digits."""
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
        raise ValueError(f"{name}={text} is no whole number from {least} to {most}")
    return int(text)


def seconds(text: str, name: str) -> float:
    """A stretch of time like `90s`, `15m` or `2h`; plain numbers are seconds.

    >>> seconds("15m", "max-wait")
    900.0
    """
    found = re.fullmatch(r"(\d{1,7}(?:\.\d+)?)([smh]?)", text, re.ASCII)
    if not found:
        raise ValueError(f"{name} {text!r} is no time like 90s, 15m or 2h")
    return float(found[1]) * SECONDS[found[2]]


def switch(text: str | None, name: str) -> bool:
    """Off when unset or 0, on when 1."""
    if text not in (None, "0", "1"):
        raise ValueError(f"{name}={text} is neither 0 nor 1")
    return text == "1"


def api_url(text: str) -> str:
    """The address of an API, without a slash at its end."""
    wrong = f"GITHUB_API_URL={text!r} is no address like https://api.github.com"
    try:
        parts = urlsplit(text)
        is_port_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise ValueError(wrong) from None
    if "@" in parts.netloc:
        raise ValueError("GITHUB_API_URL must not hold a name or password")
    is_plain = not parts.query and not parts.fragment and text.isascii()
    has_host = bool(parts.hostname) and parts.scheme in ("http", "https")
    if not (is_port_fine and is_plain and has_host and " " not in text):
        raise ValueError(wrong)
    return text.rstrip("/")


def token(text: str) -> str | None:
    """The tokens with a comma between two, or None where there is none.

    They may come with blanks or commas between them. What cannot stand in a header is
    refused without showing it.
    """
    if not re.fullmatch(r"[\x21-\x7e\s]*", text, re.ASCII):
        raise ValueError("GITHUB_TOKEN holds characters that no token has")
    return ",".join(dict.fromkeys(re.split(r"[,\s]+", text.strip(", \t\r\n")))) or None


def mode(text: str) -> str:
    """How an uncovered window is fetched."""
    if text not in ("auto", "full", "targeted"):
        raise ValueError(f"MODE={text} is none of auto, full, targeted")
    return text
