{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

windows as (

    select * from {{ ref('windows') }}

),

comments as (

    select * from {{ ref('int_comments_placed_in_windows') }}

),

human_comments as (

    select
        comments.*,
        windows.window_start_at,
        date_diff('second', windows.window_start_at, windows.window_end_at)
            as window_seconds,
        count(*) over (
            partition by comments.window_id, comments.thread_id
            order by comments.created_at
            range between current row and interval '3599 seconds' following
        ) as following_hour_count

    from comments

    inner join windows
        on comments.window_id = windows.window_id

    where not comments.is_bot

),

weighed_by_author as (

    select
        window_id,
        thread_id,
        author_key,
        any_value(window_seconds) as window_seconds,
        count(*) as comment_count,
        max(following_hour_count) as peak_hour_comment_count,
        -- A comment loses half its weight in half the window's length.
        {{ summed_exactly(
            weight_of_comment('created_at', 'window_end_at', 'window_seconds')
        ) }} as weight

    from human_comments

    group by window_id, thread_id, author_key

),

scored as (

    select
        window_id,
        thread_id,
        cast(sum(comment_count) as bigint) as human_comment_count,
        count(*) as participant_count,
        sum(comment_count) / (any_value(window_seconds) / 3600) as comments_per_hour,
        max(peak_hour_comment_count) as peak_hour_comment_count,
        {{ summed_exactly('log2(1 + weight)') }} as heat_score,
        any_value(window_seconds) as window_seconds

    from weighed_by_author

    group by window_id, thread_id

)

select * from scored
