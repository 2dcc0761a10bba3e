with

windows as (

    select * from {{ ref('windows') }}

),

compared as (

    select * from {{ ref('int_measures_compared') }}

),

provenance as (

    select * from {{ ref('rpt_provenance') }}

),

activity as (

    select * from {{ ref('rpt_activity') }}

),

topics as (

    select * from {{ ref('rpt_topics') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

comment_hours as (

    select * from {{ ref('rpt_comment_hours') }}

),

ecosystem_share as (

    select * from {{ ref('rpt_ecosystem_share') }}

),

spread as (

    select
        window_id,
        any_value(counted) filter (where measure = 'new_issue')
            as new_issue_count,
        any_value(counted_median) filter (where measure = 'new_issue')
            as new_issue_count_median,
        any_value(weekday_median) filter (where measure = 'new_issue')
            as new_issue_weekday_median,
        any_value(direction) filter (where measure = 'new_issue')
            as new_issue_direction,
        any_value(counted) filter (where measure = 'closed_issue')
            as closed_issue_count,
        any_value(counted_median) filter (where measure = 'closed_issue')
            as closed_issue_count_median,
        any_value(weekday_median) filter (where measure = 'closed_issue')
            as closed_issue_weekday_median,
        any_value(direction) filter (where measure = 'closed_issue')
            as closed_issue_direction,
        any_value(counted) filter (where measure = 'new_pr')
            as new_pr_count,
        any_value(counted_median) filter (where measure = 'new_pr')
            as new_pr_count_median,
        any_value(weekday_median) filter (where measure = 'new_pr')
            as new_pr_weekday_median,
        any_value(direction) filter (where measure = 'new_pr')
            as new_pr_direction,
        any_value(counted) filter (where measure = 'merged_pr')
            as merged_pr_count,
        any_value(counted_median) filter (where measure = 'merged_pr')
            as merged_pr_count_median,
        any_value(weekday_median) filter (where measure = 'merged_pr')
            as merged_pr_weekday_median,
        any_value(direction) filter (where measure = 'merged_pr')
            as merged_pr_direction,
        any_value(counted) filter (where measure = 'closed_unmerged_pr')
            as closed_unmerged_pr_count,
        any_value(counted_median) filter (where measure = 'closed_unmerged_pr')
            as closed_unmerged_pr_count_median,
        any_value(weekday_median) filter (where measure = 'closed_unmerged_pr')
            as closed_unmerged_pr_weekday_median,
        any_value(direction) filter (where measure = 'closed_unmerged_pr')
            as closed_unmerged_pr_direction,
        any_value(counted) filter (where measure = 'listing')
            as listing_count,
        any_value(counted_median) filter (where measure = 'listing')
            as listing_count_median,
        any_value(weekday_median) filter (where measure = 'listing')
            as listing_weekday_median,
        any_value(direction) filter (where measure = 'listing')
            as listing_direction,
        any_value(counted) filter (where measure = 'human_comment')
            as human_comment_count,
        any_value(counted_median) filter (where measure = 'human_comment')
            as human_comment_count_median,
        any_value(weekday_median) filter (where measure = 'human_comment')
            as human_comment_weekday_median,
        any_value(direction) filter (where measure = 'human_comment')
            as human_comment_direction

    from compared

    group by window_id

),

topics_told as (

    select
        window_id,
        arg_min(topic, position) filter (where is_rising) as rising_topic,
        arg_min(thread_count, position) filter (where is_rising)
            as rising_topic_thread_count,
        arg_min(lift, position) filter (where is_rising) as rising_topic_lift,
        arg_max(topic, (thread_count, -position)) as busiest_topic,
        max(thread_count) as busiest_topic_thread_count

    from topics

    group by window_id

),

-- Only what is longer than two days is told by days.
busiest_days as (

    select
        window_id,
        case
            when max(human_comment_count) > 0
                then arg_max(bucket_start_at, (human_comment_count, -position))
        end as busiest_day_start_at,
        nullif(max(human_comment_count), 0) as busiest_day_comment_count

    from comment_hours

    group by window_id

    having max(bucket_hours) > 1

),

hottest as (

    select *

    from hot_threads

    qualify row_number() over (
        partition by window_id
        order by heat_rank
    ) = 1

),

joined as (

    select
        spread.*,
        cast(provenance.baseline_window_count as integer) as baseline_window_count,
        -- Nothing happened, or half of what usually does.
        spread.listing_count + spread.human_comment_count = 0
        or coalesce(
            spread.listing_count
            <= spread.listing_count_median * {{ var('quiet_share') }},
            false
        ) as is_quiet,
        -- Twice nothing is no more than nothing, and a week of days is no habit.
        coalesce(
            spread.listing_count_median >= {{ var('min_compared_listing_count') }}
            and (
                windows.window_kind != 'day'
                or provenance.baseline_window_count
                >= {{ var('min_compared_days') }}
            ),
            false
        ) as is_comparable,
        spread.merged_pr_count
        / nullif(spread.merged_pr_count + spread.closed_unmerged_pr_count, 0)
            as merged_share,
        activity.contributor_count,
        activity.first_timer_count,
        activity.busiest_hour_start_at,
        activity.busiest_hour_comment_count,
        busiest_days.busiest_day_start_at,
        busiest_days.busiest_day_comment_count,
        topics_told.rising_topic,
        topics_told.rising_topic_thread_count,
        topics_told.rising_topic_lift,
        topics_told.busiest_topic,
        topics_told.busiest_topic_thread_count,
        hottest.thread_id as hottest_thread_id,
        hottest.number as hottest_thread_number,
        hottest.title as hottest_thread_title,
        hottest.url as hottest_thread_url,
        hottest.human_comment_count as hottest_thread_human_comment_count,
        hottest.participant_count as hottest_thread_participant_count,
        provenance.spotlight_ecosystem as ecosystem,
        ecosystem_share.thread_count as ecosystem_thread_count,
        ecosystem_share.share as ecosystem_thread_share,
        ecosystem_share.usual_share as ecosystem_usual_share,
        ecosystem_share.lift as ecosystem_lift

    from windows

    inner join spread
        on windows.window_id = spread.window_id

    inner join provenance
        on windows.window_id = provenance.window_id

    inner join activity
        on windows.window_id = activity.window_id

    left join busiest_days
        on windows.window_id = busiest_days.window_id

    left join topics_told
        on windows.window_id = topics_told.window_id

    left join hottest
        on windows.window_id = hottest.window_id

    left join ecosystem_share
        on
            windows.window_id = ecosystem_share.window_id
            and provenance.spotlight_ecosystem = ecosystem_share.ecosystem

)

select * from joined
