{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

placed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

waited as (

    select
        placed.window_id,
        placed.listing != 'merged_pr' as is_response,
        case
            when placed.listing = 'merged_pr'
                then date_diff('second', threads.created_at, placed.event_at)
            else date_diff('second', threads.created_at, voiced.first_answer_at)
        end / 3600 as hours

    from placed

    inner join threads
        on placed.thread_id = threads.thread_id

    left join voiced
        on
            placed.window_id = voiced.window_id
            and placed.thread_id = voiced.thread_id

    where
        placed.listing = 'merged_pr'
        or (
            placed.listing in ('new_issue', 'new_pr')
            and not threads.is_bot_author
        )

),

timed as (

    select
        window_id,
        median(hours) filter (where is_response) as response_hours_median,
        quantile_cont(hours, 0.9) filter (where is_response) as response_hours_p90,
        count(hours) filter (where is_response) as response_count,
        median(hours) filter (where not is_response) as merge_hours_median,
        quantile_cont(hours, 0.9) filter (where not is_response) as merge_hours_p90,
        count(hours) filter (where not is_response) as merge_count,
        count(*) filter (where is_response and hours is null) as unanswered_count

    from waited

    group by window_id

),

reopened as (

    select
        windows.window_id,
        count(distinct thread_events.thread_id) as reopened_count

    from windows

    inner join thread_events
        on
            windows.project = thread_events.project
            and {{ falls_within('thread_events.occurred_at') }}

    where thread_events.event = 'reopened'

    group by windows.window_id

),

joined as (

    select
        windows.window_id,
        timed.response_hours_median,
        timed.response_hours_p90,
        coalesce(timed.response_count, 0) as response_count,
        coalesce(timed.unanswered_count, 0) as unanswered_count,
        timed.merge_hours_median,
        timed.merge_hours_p90,
        coalesce(timed.merge_count, 0) as merge_count,
        coalesce(reopened.reopened_count, 0) as reopened_count

    from windows

    left join timed
        on windows.window_id = timed.window_id

    left join reopened
        on windows.window_id = reopened.window_id

)

select * from joined
