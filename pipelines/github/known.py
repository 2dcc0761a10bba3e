"""What GitHub's lists are known to hold, so that something new is noticed, once.

Names from GitHub's description of its REST API (version 2022-11-28) and its list of
issue event types. Nothing depends on them: what is not here is read all the same.
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


THREAD_FIELDS = _names(
    "active_lock_reason assignee assignees author_association body body_html "
    "body_text closed_at closed_by comments comments_url created_at draft "
    "events_url html_url id issue_dependencies_summary issue_field_values labels "
    "labels_url locked milestone node_id number parent_issue_url "
    "performed_via_github_app pinned_comment pull_request reactions repository "
    "repository_url state state_reason sub_issues_summary timeline_url title type "
    "updated_at url user"
)

COMMENT_FIELDS = _names(
    "author_association body body_html body_text created_at html_url id issue_url "
    "minimized node_id performed_via_github_app pin reactions updated_at url user"
)

REVIEW_COMMENT_FIELDS = _names(
    "_links author_association body body_html body_text commit_id created_at "
    "diff_hunk html_url id in_reply_to_id line minimized node_id original_commit_id "
    "original_line original_position original_start_line path "
    "performed_via_github_app position pull_request_review_id pull_request_url "
    "reactions side start_line start_side subject_type updated_at url user"
)

EVENT_FIELDS = _names(
    "actor assignee assigner author_association commit_id commit_url created_at "
    "dismissed_review event id issue label lock_reason milestone node_id "
    "performed_via_github_app project_card rename requested_reviewer requested_team "
    "review_requester state_reason url"
)

EVENT_KINDS = _names(
    "added_to_merge_queue added_to_project added_to_project_v2 assigned "
    "auto_merge_disabled auto_merge_enabled auto_rebase_enabled auto_squash_enabled "
    "automatic_base_change_failed automatic_base_change_succeeded base_ref_changed "
    "base_ref_deleted base_ref_force_pushed blocked_by_added blocked_by_removed "
    "blocking_added blocking_removed closed comment_deleted commented committed "
    "connected convert_to_draft converted_from_draft converted_note_to_issue "
    "converted_to_discussion cross-referenced demilestoned deployed "
    "deployment_environment_changed disconnected head_ref_deleted "
    "head_ref_force_pushed head_ref_restored issue_type_added issue_type_changed "
    "issue_type_removed labeled line-commented locked marked_as_duplicate mentioned "
    "merged milestoned moved_columns_in_project parent_issue_added "
    "parent_issue_removed pinned project_v2_item_status_changed ready_for_review "
    "referenced removed_from_merge_queue removed_from_project "
    "removed_from_project_v2 renamed reopened review_dismissed "
    "review_request_removed review_requested reviewed sub_issue_added "
    "sub_issue_removed subscribed transferred unassigned unlabeled unlocked "
    "unmarked_as_duplicate unpinned unsubscribed user_blocked"
)
