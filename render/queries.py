"""What is asked of the warehouse: the columns of its tables that a report needs.

One query a table; values come in as parameters. Rows are in the order of the report.
"""

PROVENANCE = """
    select
        window_id, project_title, repository, time_zone, window_kind,
        window_start_at, window_end_at, is_complete, completeness, data_as_of_at,
        is_synthetic, spotlight_ecosystem, baseline_window_count,
        quarantined_row_count, streams
    from reports.rpt_provenance
    where window_id = $window_id
"""

HEADLINE_COUNTS = """
    select
        new_issue_count, closed_issue_count, new_pr_count, merged_pr_count,
        closed_unmerged_pr_count,
        new_issue_count_median, closed_issue_count_median, new_pr_count_median,
        merged_pr_count_median, closed_unmerged_pr_count_median
    from reports.rpt_headline_counts
    where window_id = $window_id
"""

LISTED_THREADS = """
    select
        listing, number, title, labels, author_login, event_at, url, as_of_basis
    from reports.rpt_listed_threads
    where window_id = $window_id
    order by listing, position
"""

ECOSYSTEM_THREADS = """
    select
        ecosystem, kind, number, title, labels, author_login, is_bot_author, status,
        status_at, url, score, is_author_only, evidence, listings, comment_count,
        human_comment_count, linked_threads, excerpt
    from reports.rpt_ecosystem_threads
    where window_id = $window_id
    order by ecosystem, position
"""

HOT_THREADS = """
    select
        thread_id, kind, number, title, author_login, url, status, status_at,
        comment_count, human_comment_count, participant_count, comments_per_hour,
        peak_hour_comment_count, baseline_per_day, velocity_ratio, heat_score,
        heat_level, participants, listings
    from reports.rpt_hot_threads
    where window_id = $window_id
    order by heat_rank
"""

HOT_THREAD_COMMENTS = """
    select thread_id, author_login, created_at, excerpt, url, reasons
    from reports.rpt_hot_thread_comments
    where window_id = $window_id
    order by thread_id, position
"""

LATEST_COMPLETE = """
    select window_id
    from marts.windows
    where
        project = $project
        and window_kind = $kind
        and ends_with(window_id, $name_ending)
        and is_complete
    order by window_end_at desc
    limit 1
"""

IS_BUILT = """
    select is_complete from marts.windows where window_id = $window_id
"""
