"""What is asked of the warehouse: the columns of its tables that a report needs.

One query a table, for several windows at once; values come in as parameters. A window's
rows are in the order of the report.
"""

PROVENANCE = """
    select
        window_id, project_title, repository, time_zone, window_kind,
        window_start_at, window_end_at, is_complete, completeness, data_as_of_at,
        is_synthetic, spotlight_ecosystem, baseline_window_count,
        quarantined_row_count, streams
    from reports.rpt_provenance
    where window_id in (select unnest($window_ids))
"""

HEADLINE_COUNTS = """
    select
        window_id,
        new_issue_count, closed_issue_count, new_pr_count, merged_pr_count,
        closed_unmerged_pr_count,
        new_issue_count_median, closed_issue_count_median, new_pr_count_median,
        merged_pr_count_median, closed_unmerged_pr_count_median
    from reports.rpt_headline_counts
    where window_id in (select unnest($window_ids))
"""

LISTED_THREADS = """
    select
        window_id,
        listing, number, title, labels, author_login, event_at, url, as_of_basis
    from reports.rpt_listed_threads
    where window_id in (select unnest($window_ids))
    order by listing, position
"""

ECOSYSTEM_THREADS = """
    select
        window_id,
        ecosystem, thread_id, kind, number, title, labels, author_login, is_bot_author,
        status, status_at, url, score, is_author_only, evidence, listings,
        comment_count, human_comment_count, linked_threads, fixed_issues, additions,
        deletions, changed_file_count, areas, area_count, excerpt, heat_rank,
        notable_position, watch_position, topic
    from reports.rpt_ecosystem_threads
    where window_id in (select unnest($window_ids))
    order by ecosystem, position
"""

HOT_THREADS = """
    select
        window_id,
        kind, number, title, author_login, url, opened_at, status, status_at,
        comment_count, human_comment_count, participant_count, comments_per_hour,
        comments_per_day, peak_hour_comment_count, baseline_per_day, velocity_ratio,
        is_new_discussion, heat_score, heat_level, people, roles, comments, waiting_on,
        listings
    from reports.rpt_hot_threads
    where window_id in (select unnest($window_ids))
    order by heat_rank
"""

SUMMARY = """
    select
        window_id,
        new_issue_count, new_issue_count_median, new_issue_weekday_median,
        new_issue_direction,
        closed_issue_count, closed_issue_count_median, closed_issue_weekday_median,
        closed_issue_direction,
        new_pr_count, new_pr_count_median, new_pr_weekday_median, new_pr_direction,
        merged_pr_count, merged_pr_count_median, merged_pr_weekday_median,
        merged_pr_direction,
        closed_unmerged_pr_count, closed_unmerged_pr_count_median,
        closed_unmerged_pr_weekday_median, closed_unmerged_pr_direction,
        listing_count, listing_count_median, listing_weekday_median, listing_direction,
        human_comment_count, human_comment_count_median, human_comment_weekday_median,
        human_comment_direction,
        is_quiet, merged_share, contributor_count, first_timer_count,
        busiest_hour_start_at, busiest_hour_comment_count,
        busiest_day_start_at, busiest_day_comment_count,
        rising_topic, rising_topic_thread_count, rising_topic_lift,
        busiest_topic, busiest_topic_thread_count,
        hottest_thread_number, hottest_thread_title, hottest_thread_url,
        hottest_thread_human_comment_count, hottest_thread_participant_count,
        ecosystem, ecosystem_thread_count, ecosystem_thread_share,
        ecosystem_usual_share, ecosystem_lift
    from reports.rpt_summary
    where window_id in (select unnest($window_ids))
"""

TREND = """
    select
        window_id,
        trend_window_id, trend_date, new_issue_count, closed_issue_count, new_pr_count,
        merged_pr_count, closed_unmerged_pr_count, ecosystem_thread_share
    from reports.rpt_trend
    where window_id in (select unnest($window_ids))
    order by position
"""

ECOSYSTEM_SHARE = """
    select
        window_id,
        ecosystem, share, active_thread_count, usual_share, lift,
        contributor_count
    from reports.rpt_ecosystem_share
    where window_id in (select unnest($window_ids))
    order by ecosystem
"""

ECOSYSTEM_CONTRIBUTORS = """
    select
        window_id,
        ecosystem, login, opened_count, merged_count, comment_count, is_active,
        author_affiliation, affiliation_source
    from reports.rpt_ecosystem_contributors
    where window_id in (select unnest($window_ids))
    order by ecosystem, position
"""

HOT_THREAD_OUTCOMES = """
    select
        window_id,
        number, kind, title, url, status, status_at, human_comment_count_before,
        human_comment_count, outcome
    from reports.rpt_hot_thread_outcomes
    where window_id in (select unnest($window_ids))
    order by position
"""

COMMENT_HOURS = """
    select
        window_id, bucket_start_at, bucket_hours, human_comment_count
    from reports.rpt_comment_hours
    where window_id in (select unnest($window_ids))
    order by position
"""

TOPICS = """
    select
        window_id,
        topic, title_en, title_zh, thread_count, share, usual_share, lift,
        is_rising, is_falling, threads
    from reports.rpt_topics
    where window_id in (select unnest($window_ids))
    order by position
"""

NOTABLE_CHANGES = """
    select
        window_id,
        number, title, labels, author_login, is_bot_author, status, status_at, url,
        change_kind, change_matched, tier, topics, human_comment_count, listings,
        linked_threads, fixed_issues, reverted_by, additions, deletions,
        changed_file_count, areas, area_count, excerpt, fixed_heat_rank,
        fixed_hot_number, merge_days, merge_days_median, highlights
    from reports.rpt_notable_changes
    where window_id in (select unnest($window_ids)) and is_shown
    order by position
"""

ACTIVITY = """
    select
        window_id,
        contributor_count, first_timer_count, first_timers, first_timer_basis,
        reviewer_count, top_reviewers, top_commenters,
        response_hours_median, response_hours_p90, response_count, unanswered_count,
        merge_hours_median, merge_hours_p90, merge_count, reopened_count,
        human_comment_count, bot_comment_count, bot_comment_share,
        open_issue_count_at_start, open_issue_count_at_end, open_issue_count_change,
        open_pr_count_at_start, open_pr_count_at_end, open_pr_count_change
    from reports.rpt_activity
    where window_id in (select unnest($window_ids))
"""

WATCH_LIST = """
    select
        window_id,
        number, kind, title, labels, author_login, is_bot_author, status, url,
        opened_at, reasons, human_comment_count, linked_threads, symptom, excerpt
    from reports.rpt_watch_list
    where window_id in (select unnest($window_ids)) and is_shown
    order by position
"""

RESTATEMENTS = """
    select
        window_id,
        version, listing, change, number, url, from_value, to_value, reason
    from reports.rpt_restatements
    where window_id in (select unnest($window_ids))
    order by version, listing, number, change
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

SITE_WINDOWS = """
    select
        provenance.window_id, provenance.project, provenance.window_kind,
        provenance.window_date, provenance.window_end_at, provenance.project_title,
        provenance.repository, provenance.time_zone, provenance.is_synthetic,
        provenance.data_as_of_at, provenance.languages,
        counts.new_issue_count, counts.closed_issue_count, counts.new_pr_count,
        counts.merged_pr_count, counts.closed_unmerged_pr_count
    from reports.rpt_provenance as provenance
    inner join reports.rpt_headline_counts as counts
        on provenance.window_id = counts.window_id
    where
        provenance.is_complete
        and provenance.window_kind in ('day', 'week', 'month')
    order by provenance.project, provenance.window_end_at, provenance.window_kind
"""

REPORT_TABLES = """
    select table_name
    from information_schema.columns
    where table_schema = 'reports' and column_name = 'window_id'
    order by table_name
"""

# What a page of the site leaves out of its provenance: how far the newest sync reaches
# moves every day, and would make every page new every day.
MOVING = ("data_as_of_at", "streams")

ROWS_HASHED = """
    select
        window_id,
        concat_ws(
            '|', '{name}', count(*), sum(hash(hashed)), bit_xor(hash(hashed))
        ) as seen
    from (select {columns} from reports."{name}") as hashed
    group by window_id
"""
"""Whether any row of a window changed, told for all windows in one pass; the sum and
the exclusive or of the rows' hashes do not depend on their order. The names are those
of `REPORT_TABLES`."""
