"""GitHub's JSON for what happens in a thread: comments, events, reviews, files."""

from sample.github.past import Said
from sample.github.shapes import Address, Json, patched, text, user_json
from sample.rows import ChangedFile, Event, Review, ReviewComment


def comment_json(said: Said, address: Address, *, is_pull_request: bool) -> Json:
    """A comment in a conversation, or on a diff."""
    row = said.row
    shown: Json = {
        "id": row.id,
        "user": user_json(row.user, address.host),
        "created_at": text(row.created_at),
        "updated_at": text(said.updated_at),
        "body": said.body,
        "author_association": row.author_association,
    }
    if isinstance(row, ReviewComment):
        shown |= _on_a_diff(row, address)
    else:
        page = "pull" if is_pull_request else "issues"
        shown |= {
            "url": f"{address.api}/issues/comments/{row.id}",
            "html_url": f"{address.web}/{page}/{row.number}#issuecomment-{row.id}",
            "issue_url": f"{address.api}/issues/{row.number}",
            "performed_via_github_app": _app(row.via_app),
            "minimized": _minimized(row.minimized_reason),
        }
    return patched(shown, row.patch)


def _on_a_diff(row: ReviewComment, address: Address) -> Json:
    shown: Json = {
        "url": f"{address.api}/pulls/comments/{row.id}",
        "pull_request_review_id": row.review_id,
        "diff_hunk": "@@ -1,4 +1,5 @@",
        "path": row.path,
        "line": 4,
        "side": "RIGHT",
        "commit_id": f"{row.number:040x}",
        "html_url": f"{address.web}/pull/{row.number}#discussion_r{row.id}",
        "pull_request_url": f"{address.api}/pulls/{row.number}",
    }
    if row.in_reply_to_id:
        shown["in_reply_to_id"] = row.in_reply_to_id
    return shown


def _app(slug: str | None) -> Json | None:
    return {"id": 1, "slug": slug, "name": slug} if slug else None


def _minimized(reason: str | None) -> Json | None:
    return {"reason": reason} if reason else None


def event_json(event: Event, address: Address) -> Json:
    """An event, without the issue that the repository's list adds."""
    shown: Json = {
        "id": event.id,
        "url": f"{address.api}/issues/events/{event.id}",
        "actor": user_json(event.actor, address.host),
        "event": event.event,
        "commit_id": event.commit_id,
        "commit_url": None,
        "created_at": text(event.created_at),
        "performed_via_github_app": None,
    }
    if event.label:
        shown["label"] = {"name": event.label, "color": "ededed"}
    if event.rename:
        shown["rename"] = {"from": event.rename[0], "to": event.rename[1]}
    if event.event == "closed":
        shown["state_reason"] = event.state_reason
    return patched(shown, event.patch)


def review_json(review: Review, address: Address) -> Json:
    """A submitted review."""
    page = f"{address.web}/pull/{review.number}"
    return {
        "id": review.id,
        "user": user_json(review.user, address.host),
        "body": review.body,
        "state": review.state,
        "html_url": f"{page}#pullrequestreview-{review.id}",
        "pull_request_url": f"{address.api}/pulls/{review.number}",
        "author_association": review.author_association,
        "submitted_at": text(review.created_at),
        "commit_id": f"{review.number:040x}",
    }


def file_json(changed: ChangedFile) -> Json:
    """A changed file, without its patch text."""
    return {
        "sha": f"{changed.additions:040x}",
        "filename": changed.filename,
        "status": changed.status,
        "additions": changed.additions,
        "deletions": changed.deletions,
        "changes": changed.additions + changed.deletions,
    }
