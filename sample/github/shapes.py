"""GitHub's JSON for the repository, its threads and its people.

URLs of the API are on the address that the client used (`api`), `html_url` is not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sample.github.past import Standing, View
from sample.repository import Repository
from sample.rows import User

Json = dict[str, Any]
LEFT_OUT = object()
"""A patch value: the key is missing from what is served."""


@dataclass(frozen=True)
class Address:
    """Where a repository is, for a client that reached us at `host`."""

    host: str
    repository: Repository

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.repository.owner}/{self.repository.name}"

    @property
    def api(self) -> str:
        """The repository's API address."""
        return f"{self.host}/repos/{self.slug}"

    @property
    def web(self) -> str:
        """The repository's page."""
        return f"https://github.com/{self.slug}"


def text(at: datetime | None) -> str | None:
    """An instant as GitHub writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def user_json(user: User | None, host: str) -> Json | None:
    """An account, or null where it is gone."""
    if user is None:
        return None
    return {
        "login": user.login,
        "id": user.id,
        "url": f"{host}/users/{user.login}",
        "html_url": f"https://github.com/{user.login}",
        "type": user.kind,
        "site_admin": False,
    }


def repository_json(address: Address, at: datetime) -> Json:
    """The repository itself."""
    repository = address.repository
    owner = User(900_000, repository.owner, "Organization")
    return {
        "id": repository.id,
        "name": repository.name,
        "full_name": address.slug,
        "private": False,
        "owner": user_json(owner, address.host),
        "html_url": address.web,
        "description": "An invented inference engine, for a demonstration.",
        "url": address.api,
        "default_branch": "main",
        "has_issues": True,
        "archived": False,
        "created_at": text(repository.created_at),
        "updated_at": text(at),
        "pushed_at": text(at),
    }


def thread_json(standing: Standing, address: Address) -> Json:
    """A thread as the issue lists show it; a pull request has a `pull_request`."""
    thread = standing.thread
    page = "pull" if thread.is_pull_request else "issues"
    shown: Json = {
        "url": f"{address.api}/issues/{thread.number}",
        "repository_url": address.api,
        "html_url": f"{address.web}/{page}/{thread.number}",
        "id": thread.id,
        "number": thread.number,
        "title": standing.title,
        "user": user_json(thread.user, address.host),
        "labels": [label_json(name) for name in standing.labels],
        "state": standing.state,
        "locked": standing.is_locked,
        "assignees": [],
        "milestone": None,
        "comments": standing.comment_count,
        "created_at": text(thread.created_at),
        "updated_at": text(standing.updated_at),
        "closed_at": text(standing.closed_at),
        "author_association": thread.author_association,
        "active_lock_reason": None,
        "body": thread.body,
        "closed_by": user_json(standing.closed_by, address.host),
        "reactions": {"total_count": 0, "+1": 0, "-1": 0},
        "performed_via_github_app": None,
        "state_reason": standing.state_reason,
    }
    if thread.is_pull_request:
        shown["draft"] = standing.is_draft
        shown["pull_request"] = {
            "url": f"{address.api}/pulls/{thread.number}",
            "html_url": f"{address.web}/pull/{thread.number}",
            "merged_at": text(standing.merged_at),
        }
    return patched(shown, thread.patch)


def label_json(name: str) -> Json:
    """A label; its colour says nothing."""
    return {"name": name, "color": "ededed", "default": False, "description": None}


def pull_json(standing: Standing, address: Address, view: View) -> Json:
    """A pull request by itself: with its size, its branches and who merged it."""
    shown = thread_json(standing, address)
    files = view.files.get(standing.thread.number, [])
    head = {"ref": f"change-{standing.thread.number}", "sha": sha(standing, "head")}
    del shown["pull_request"], shown["repository_url"], shown["state_reason"]
    return shown | {
        "url": f"{address.api}/pulls/{standing.thread.number}",
        "merged_at": text(standing.merged_at),
        "merged": standing.merged_at is not None,
        "merged_by": user_json(standing.merged_by, address.host),
        "review_comments": standing.review_comment_count,
        "commits": 1,
        "additions": sum(changed.additions for changed in files),
        "deletions": sum(changed.deletions for changed in files),
        "changed_files": len(files),
        "head": head,
        "base": {"ref": "main", "sha": sha(standing, "base")},
    }


def sha(standing: Standing, role: str) -> str:
    """Forty hexadecimal digits that stand for one commit of a pull request."""
    return f"{standing.thread.id:x}{len(role):02x}".rjust(40, "0")


def patched(shown: Json, patch: Mapping[str, Any]) -> Json:
    """What is served after a row's own patch."""
    if not patch:
        return shown
    laid = {**shown, **patch}
    return {key: value for key, value in laid.items() if value is not LEFT_OUT}
