{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

hourly as (

    select
        windows.window_id,
        cast(
            floor(
                date_diff('second', windows.window_start_at, comments.created_at) / 3600
            ) as integer
        ) as hour_offset,
        count(*) filter (where not comments.is_bot) as human_comment_count,
        count(*) filter (where comments.is_bot) as bot_comment_count

    from windows

    inner join comments
        on windows.window_id = comments.window_id

    group by windows.window_id, hour_offset

),

summed as (

    select
        window_id,
        cast(sum(human_comment_count) as bigint) as human_comment_count,
        cast(sum(bot_comment_count) as bigint) as bot_comment_count,
        max(human_comment_count) as busiest_hour_comment_count,
        -- Of equal hours the first.
        arg_max(hour_offset, (human_comment_count, -hour_offset)) as busiest_hour_offset

    from hourly

    group by window_id

),

joined as (

    select
        windows.window_id,
        coalesce(summed.human_comment_count, 0) as human_comment_count,
        coalesce(summed.bot_comment_count, 0) as bot_comment_count,
        summed.bot_comment_count
        / (summed.human_comment_count + summed.bot_comment_count) as bot_comment_share,
        case
            when summed.busiest_hour_comment_count > 0
                then
                    windows.window_start_at
                    + to_hours(summed.busiest_hour_offset)
        end as busiest_hour_start_at,
        nullif(summed.busiest_hour_comment_count, 0) as busiest_hour_comment_count

    from windows

    left join summed
        on windows.window_id = summed.window_id

)

select * from joined
