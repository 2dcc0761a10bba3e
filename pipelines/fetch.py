"""Pages as they come, into the warehouse, for as long as GitHub gives them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from pipelines.exits import IncompleteError, StoppedError
from pipelines.progress import Progress

if TYPE_CHECKING:
    from pipelines.github.source import Pages
    from pipelines.intake import Intake


def fetch(
    pages: Pages, open_intake: Callable[[], Intake], progress: Progress
) -> IncompleteError | None:
    """Load all pages; what came before a refusal or an interruption is kept.

    Gives why a list could not be read to its end, if so.

    The warehouse is opened, and perhaps created, when the first page has come.
    """
    intake: Intake | None = None
    unread: IncompleteError | None = None
    with closing(pages):
        try:
            for page in pages:
                if page is not None:
                    intake = intake or open_intake()
                    progress.saw(page)
                if intake is not None:
                    intake.take(page)
                progress.beat()
        except IncompleteError as error:
            unread = error
        except StoppedError:
            if intake is not None:
                intake.commit()
            raise
        except KeyboardInterrupt:
            # It may have struck in the middle of a load, or of an import: what cannot
            # be committed now is read again by the next run.
            with suppress(Exception):
                if intake is not None:
                    intake.commit()
            raise
    if intake is not None:
        intake.commit()
    return unread
