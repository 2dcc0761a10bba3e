"""One request to one resource of the repository, with all that answers it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sample.github.exchange import Request, Response, invalid
from sample.github.past import View
from sample.github.shapes import Address


class Refused(Exception):  # noqa: N818 - GitHub refuses; nothing broke
    """What a resource answers instead of rows."""

    def __init__(self, response: Response) -> None:
        """Carry the answer to whoever sends it."""
        super().__init__(response.status)
        self.response = response


@dataclass(frozen=True)
class Limits:
    """How far lists go: the wall in pages of 100, the cap in rows."""

    max_page: int = 10
    max_rows: int = 30_000


@dataclass(frozen=True)
class Call:
    """One request to one repository's resource."""

    view: View
    request: Request
    address: Address
    limits: Limits
    tail: str

    @property
    def base(self) -> str:
        """The numeric address that `Link` uses."""
        number = self.address.repository.id
        return f"{self.address.host}/repositories/{number}{self.tail}"


def since_of(call: Call) -> datetime | None:
    """The query's `since`, if any; Refused where it is no timestamp."""
    told = call.request.query.get("since")
    if not told:
        return None
    try:
        since = datetime.fromisoformat(told)
    except ValueError:
        raise Refused(invalid("The since parameter is not a timestamp.")) from None
    return since if since.tzinfo else since.replace(tzinfo=UTC)
