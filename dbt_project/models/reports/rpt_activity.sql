with

peopled as (

    select * from {{ ref('int_windows_peopled') }}

),

spoken_in as (

    select * from {{ ref('int_windows_spoken_in') }}

),

reviewed as (

    select * from {{ ref('int_windows_reviewed') }}

),

answered as (

    select * from {{ ref('int_windows_answered') }}

),

backlogs as (

    select * from {{ ref('int_backlogs_counted') }}

),

joined as (

    select
        peopled.window_id,
        peopled.contributor_count,
        cast(len(peopled.first_timers) as bigint) as first_timer_count,
        peopled.first_timers,
        peopled.first_timer_basis,
        reviewed.reviewer_count,
        reviewed.top_reviewers,
        reviewed.top_commenters,
        answered.response_hours_median,
        answered.response_hours_p90,
        answered.response_count,
        answered.unanswered_count,
        answered.merge_hours_median,
        answered.merge_hours_p90,
        answered.merge_count,
        answered.reopened_count,
        spoken_in.human_comment_count,
        spoken_in.bot_comment_count,
        spoken_in.bot_comment_share,
        spoken_in.busiest_hour_start_at,
        spoken_in.busiest_hour_comment_count,
        backlogs.open_issue_count_at_start,
        backlogs.open_issue_count_at_end,
        backlogs.open_issue_count_change,
        backlogs.open_pr_count_at_start,
        backlogs.open_pr_count_at_end,
        backlogs.open_pr_count_change

    from peopled

    inner join spoken_in
        on peopled.window_id = spoken_in.window_id

    inner join reviewed
        on peopled.window_id = reviewed.window_id

    inner join answered
        on peopled.window_id = answered.window_id

    inner join backlogs
        on peopled.window_id = backlogs.window_id

)

select * from joined
