"""The columns that the report models promise, by table."""

from __future__ import annotations

COLUMNS = {
    "marts.windows": """
        window_id varchar, project varchar, window_kind varchar, window_date date,
        window_start_at timestamptz, window_end_at timestamptz, is_complete boolean,
        completeness varchar
    """,
    "reports.rpt_provenance": """
        window_id varchar, project varchar, project_title varchar, repository varchar,
        time_zone varchar, window_kind varchar, window_date date,
        window_start_at timestamptz, window_end_at timestamptz, is_complete boolean,
        completeness varchar, data_as_of_at timestamptz, is_synthetic boolean,
        spotlight_ecosystem varchar, languages varchar[], baseline_window_count integer,
        quarantined_row_count bigint,
        streams struct(
            stream varchar, covered_from timestamptz, covered_until timestamptz,
            is_enough boolean
        )[]
    """,
    "reports.rpt_restatements": """
        restatement_id varchar, window_id varchar, version integer, what varchar,
        listing varchar, change varchar, thread_id varchar, number bigint, url varchar,
        from_value varchar, to_value varchar, reason varchar, published_at timestamptz,
        restated_at timestamptz
    """,
    "reports.rpt_headline_counts": """
        window_id varchar, new_issue_count bigint, closed_issue_count bigint,
        new_pr_count bigint, merged_pr_count bigint, closed_unmerged_pr_count bigint,
        new_issue_count_median double, closed_issue_count_median double,
        new_pr_count_median double, merged_pr_count_median double,
        closed_unmerged_pr_count_median double
    """,
    "reports.rpt_listed_threads": """
        window_id varchar, listing varchar, position bigint, thread_id varchar,
        number bigint, kind varchar, title varchar, labels varchar[],
        author_login varchar, is_bot_author boolean, is_draft boolean,
        event_at timestamptz, url varchar, as_of_basis varchar
    """,
    "reports.rpt_ecosystem_threads": """
        window_id varchar, ecosystem varchar, position bigint, thread_id varchar,
        number bigint, kind varchar, title varchar, labels varchar[],
        author_login varchar, is_bot_author boolean, status varchar,
        status_at timestamptz, url varchar, score double, is_author_only boolean,
        evidence struct(
            rule_id varchar, signal varchar, matched varchar, strength double
        )[],
        listings varchar[], comment_count bigint, human_comment_count bigint,
        linked_threads struct(
            thread_id varchar, number bigint, relation varchar, title varchar,
            url varchar, status varchar
        )[],
        fixed_issues struct(
            number bigint, url varchar, affected_people_count bigint, open_days double
        )[],
        additions bigint, deletions bigint, changed_file_count bigint,
        areas varchar[], area_count bigint, excerpt varchar, heat_rank bigint,
        notable_position integer, watch_position integer, topic varchar
    """,
    "reports.rpt_hot_threads": """
        window_id varchar, heat_rank bigint, thread_id varchar, number bigint,
        kind varchar, title varchar, author_login varchar, url varchar, status varchar,
        status_at timestamptz, opened_at timestamptz, comment_count bigint,
        human_comment_count bigint, participant_count bigint, comments_per_hour double,
        comments_per_day double, peak_hour_comment_count bigint,
        baseline_per_day double, velocity_ratio double, is_new_discussion boolean,
        heat_score double, heat_level integer,
        people struct(
            login varchar, role varchar, comment_count bigint,
            first_comment_at timestamptz, last_comment_at timestamptz
        )[],
        roles struct(role varchar, person_count bigint, comment_count bigint)[],
        comments struct(
            comment_id varchar, author_login varchar, role varchar,
            created_at timestamptz, reason varchar, excerpt varchar, url varchar
        )[],
        waiting_on struct(
            login varchar, since_at timestamptz, comment_url varchar,
            mentioned_by varchar
        ),
        listings varchar[]
    """,
    "reports.rpt_summary": """
        window_id varchar, new_issue_count bigint, new_issue_count_median double,
        new_issue_weekday_median double, new_issue_direction varchar,
        closed_issue_count bigint, closed_issue_count_median double,
        closed_issue_weekday_median double, closed_issue_direction varchar,
        new_pr_count bigint, new_pr_count_median double, new_pr_weekday_median double,
        new_pr_direction varchar, merged_pr_count bigint,
        merged_pr_count_median double, merged_pr_weekday_median double,
        merged_pr_direction varchar, closed_unmerged_pr_count bigint,
        closed_unmerged_pr_count_median double,
        closed_unmerged_pr_weekday_median double,
        closed_unmerged_pr_direction varchar, listing_count bigint,
        listing_count_median double, listing_weekday_median double,
        listing_direction varchar, human_comment_count bigint,
        human_comment_count_median double, human_comment_weekday_median double,
        human_comment_direction varchar, baseline_window_count integer,
        is_quiet boolean, merged_share double, contributor_count bigint,
        first_timer_count bigint, busiest_hour_start_at timestamptz,
        busiest_hour_comment_count bigint, busiest_day_start_at timestamptz,
        busiest_day_comment_count bigint, rising_topic varchar,
        rising_topic_thread_count bigint, rising_topic_lift double,
        busiest_topic varchar, busiest_topic_thread_count bigint,
        hottest_thread_id varchar, hottest_thread_number bigint,
        hottest_thread_title varchar, hottest_thread_url varchar,
        hottest_thread_human_comment_count bigint,
        hottest_thread_participant_count bigint, ecosystem varchar,
        ecosystem_thread_count bigint, ecosystem_thread_share double,
        ecosystem_usual_share double, ecosystem_lift double
    """,
    "reports.rpt_trend": """
        window_id varchar, position integer, trend_window_id varchar, trend_date date,
        is_complete boolean, new_issue_count bigint, closed_issue_count bigint,
        new_pr_count bigint, merged_pr_count bigint, closed_unmerged_pr_count bigint,
        human_comment_count bigint, ecosystem varchar, ecosystem_thread_count bigint,
        ecosystem_thread_share double
    """,
    "reports.rpt_ecosystem_share": """
        window_id varchar, ecosystem varchar, thread_count bigint,
        author_only_count bigint, active_thread_count bigint, new_count bigint,
        merged_count bigint, closed_count bigint, contributor_count bigint,
        share double, usual_share double, expected_thread_count double, lift double,
        is_rising boolean, is_falling boolean
    """,
    "reports.rpt_ecosystem_contributors": """
        window_id varchar, ecosystem varchar, position integer, login varchar,
        authored_count bigint, opened_count bigint, merged_count bigint,
        comment_count bigint, is_active boolean, author_affiliation varchar,
        affiliation_source varchar
    """,
    "reports.rpt_hot_thread_outcomes": """
        window_id varchar, position integer, earlier_window_id varchar,
        thread_id varchar, number bigint, kind varchar, title varchar, url varchar,
        heat_rank_before bigint, human_comment_count_before bigint,
        status_before varchar, status varchar, status_at timestamptz,
        human_comment_count bigint, heat_rank bigint, outcome varchar
    """,
    "reports.rpt_comment_hours": """
        window_id varchar, position integer, bucket_start_at timestamptz,
        bucket_hours double, human_comment_count bigint, bot_comment_count bigint
    """,
    "reports.rpt_topics": """
        window_id varchar, position integer, topic varchar, title_en varchar,
        title_zh varchar, thread_count bigint, active_thread_count bigint,
        share double, usual_share double, expected_thread_count double, lift double,
        is_rising boolean, is_falling boolean,
        threads struct(
            thread_id varchar, number bigint, kind varchar, title varchar,
            url varchar, status varchar
        )[]
    """,
    "reports.rpt_notable_changes": """
        window_id varchar, position integer, thread_id varchar, number bigint,
        tier integer, reasons varchar[], is_shown boolean, title varchar,
        labels varchar[], author_login varchar, is_bot_author boolean,
        opened_at timestamptz, status varchar, status_at timestamptz, url varchar,
        change_kind varchar, change_signal varchar, change_matched varchar,
        is_merged boolean,
        reverts struct(
            number bigint, title varchar, url varchar, status varchar,
            merged_at timestamptz
        )[],
        reverted_by struct(
            number bigint, title varchar, url varchar, status varchar,
            merged_at timestamptz
        )[],
        participant_count bigint, human_comment_count bigint,
        affected_people_count bigint, topics varchar[], additions bigint,
        deletions bigint, changed_file_count bigint, areas varchar[],
        area_count bigint, listings varchar[],
        linked_threads struct(
            thread_id varchar, number bigint, relation varchar, title varchar,
            url varchar, status varchar
        )[],
        fixed_issues struct(
            number bigint, url varchar, affected_people_count bigint, open_days double
        )[],
        closed_with struct(
            number bigint, title varchar, url varchar, closed_at timestamptz,
            seconds_after_merge bigint, is_fixed boolean
        )[],
        excerpt varchar, fixed_heat_rank bigint, fixed_hot_number bigint,
        merge_days double, merge_days_median double, highlights varchar[]
    """,
    "reports.rpt_activity": """
        window_id varchar, contributor_count bigint, first_timer_count bigint,
        first_timers varchar[], first_timer_basis varchar, reviewer_count bigint,
        top_reviewers struct(login varchar, count bigint)[],
        top_commenters struct(login varchar, count bigint)[],
        response_hours_median double, response_hours_p90 double,
        response_count bigint, unanswered_count bigint, merge_hours_median double,
        merge_hours_p90 double, merge_count bigint, reopened_count bigint,
        human_comment_count bigint, bot_comment_count bigint,
        bot_comment_share double, busiest_hour_start_at timestamptz,
        busiest_hour_comment_count bigint, open_issue_count_at_start bigint,
        open_issue_count_at_end bigint, open_issue_count_change bigint,
        open_pr_count_at_start bigint, open_pr_count_at_end bigint,
        open_pr_count_change bigint
    """,
    "reports.rpt_watch_list": """
        window_id varchar, position integer, thread_id varchar, number bigint,
        kind varchar, is_shown boolean, title varchar, labels varchar[],
        author_login varchar, is_bot_author boolean, status varchar, url varchar,
        opened_at timestamptz,
        reasons struct(
            reason varchar, severity varchar, matched varchar, people_count bigint,
            days double
        )[],
        severity varchar, severity_matched varchar, severity_signal varchar,
        affected_people_count bigint, human_comment_count bigint,
        waiting_since_at timestamptz, waiting_days double, is_unlinked boolean,
        is_proposal boolean,
        linked_threads struct(
            thread_id varchar, number bigint, relation varchar, title varchar,
            url varchar, status varchar
        )[],
        symptom varchar, excerpt varchar
    """,
}
