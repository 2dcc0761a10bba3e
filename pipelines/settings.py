"""What a run is told: the checked values of the command line and the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pipelines.projects import Project


@dataclass(frozen=True)
class Settings:
    """What every command is told. Waits are in seconds.

    `mode` says how an uncovered window is fetched: `full`, `targeted`, or `auto`;
    `detail_requests` is what may be spent on pull requests' sizes, files and reviews.
    """

    project: Project
    projects: tuple[Project, ...]
    api_url: str
    warehouse: Path
    token: str | None = field(repr=False)
    baseline_days: int
    allow_partial: bool
    max_wait: float
    lock_wait: float
    mode: str = "auto"
    parquet: bool = False
    detail_requests: int = 30

    @property
    def api_host(self) -> str:
        """The host name by which the warehouse remembers where it was filled from."""
        return urlsplit(self.api_url).hostname or ""
