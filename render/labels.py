"""How a window is called where people read: in titles, links and along axes. Pure."""

from datetime import date, timedelta

MONTH = len("2026-03")


def window_label(window_id: str) -> str:
    """The id's last part, legible.

    >>> window_label("vllm:day:2026-03-04")
    '2026-03-04'
    >>> window_label("vllm:week:2026-02-23")
    '2026-02-23 – 2026-03-01'
    >>> window_label("vllm:month:2026-02-01")
    '2026-02'
    >>> window_label("vllm:custom:2026-12-10T20:17+1h")
    '2026-12-10 20:17 +1h'
    """
    _, kind, name = window_id.split(":", 2)
    if kind == "week":
        return f"{name} – {date.fromisoformat(name) + timedelta(days=6)}"
    return point_label(kind, name.replace("T", " ").replace("+", " +"))


def point_label(kind: str, day: str) -> str:
    """A date as it stands along an axis: a month goes without its day."""
    return day[:MONTH] if kind == "month" else day
