-- A row is a week or month whose days are all there and do not add up to it.
with

windows as (

    select * from {{ ref('windows') }}

),

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

threads as (

    select * from {{ ref('threads') }}

),

counted as (

    select
        windows.project,
        windows.window_kind,
        windows.window_id,
        windows.window_start_at,
        windows.window_end_at,
        date_diff('second', windows.window_start_at, windows.window_end_at)
            as window_seconds,
        headline_counts.new_issue_count,
        headline_counts.new_pr_count,
        headline_counts.merged_pr_count

    from windows

    inner join headline_counts
        on windows.window_id = headline_counts.window_id

),

added_up as (

    select
        longer.window_id,
        any_value(longer.window_seconds) as window_seconds,
        sum(days.window_seconds) as window_seconds_of_days,
        any_value(longer.new_issue_count) as new_issue_count,
        sum(days.new_issue_count) as new_issue_count_of_days,
        any_value(longer.new_pr_count) as new_pr_count,
        sum(days.new_pr_count) as new_pr_count_of_days,
        any_value(longer.merged_pr_count) as merged_pr_count,
        sum(days.merged_pr_count) as merged_pr_count_of_days

    from counted as longer

    inner join counted as days
        on
            longer.project = days.project
            and longer.window_start_at <= days.window_start_at
            and longer.window_end_at >= days.window_end_at

    where
        longer.window_kind in ('week', 'month')
        and days.window_kind = 'day'
        -- A day may hold what was gone when its week had ended.
        and not exists (
            select true
            from threads
            where
                threads.project = longer.project
                and threads.missing_since_at < longer.window_end_at
        )

    group by longer.window_id

)

select *
from added_up
where
    window_seconds = window_seconds_of_days
    and (
        new_issue_count != new_issue_count_of_days
        or new_pr_count != new_pr_count_of_days
        or merged_pr_count != merged_pr_count_of_days
    )
