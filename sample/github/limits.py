"""The hourly figures that GitHub shows; never enforced: a test's faults refuse."""

from datetime import datetime

from sample.github.exchange import Request
from sample.github.shapes import Json

HOURLY_LIMIT = 5_000


def rate_limit(request: Request, at: datetime) -> Json:
    """`/rate_limit`, which itself costs nothing on GitHub."""
    core = {
        "limit": HOURLY_LIMIT,
        "used": _used(request),
        "remaining": HOURLY_LIMIT - _used(request),
        "reset": _reset(at),
    }
    search = {"limit": 30, "used": 0, "remaining": 30, "reset": _reset(at)}
    return {"resources": {"core": core, "search": search}, "rate": core}


def rate_headers(request: Request, at: datetime) -> dict[str, str]:
    """The same on every answer; a client may reckon `reset` against `Date`."""
    return {
        "X-RateLimit-Limit": str(HOURLY_LIMIT),
        "X-RateLimit-Remaining": str(HOURLY_LIMIT - _used(request)),
        "X-RateLimit-Used": str(_used(request)),
        "X-RateLimit-Reset": str(_reset(at)),
        "X-RateLimit-Resource": "core",
    }


def _used(request: Request) -> int:
    return request.ordinal % HOURLY_LIMIT


def _reset(at: datetime) -> int:
    return int(at.timestamp()) + 3600
