/*
A row is a window whose hours do not hold its comments, or do not fill it.
*/
with

windows as (

    select * from {{ ref('windows') }}

),

hours as (

    select * from {{ ref('rpt_comment_hours') }}

),

activity as (

    select * from {{ ref('rpt_activity') }}

),

summed as (

    select
        window_id,
        sum(human_comment_count) as human_comment_count,
        sum(bot_comment_count) as bot_comment_count,
        sum(bucket_hours) as window_hours

    from hours

    group by window_id

)

select
    windows.window_id,
    summed.human_comment_count,
    activity.human_comment_count as human_comment_count_told
from windows
inner join activity
    on windows.window_id = activity.window_id
left join summed
    on windows.window_id = summed.window_id
where
    summed.window_id is null
    or summed.human_comment_count != activity.human_comment_count
    or summed.bot_comment_count != activity.bot_comment_count
    or abs(
        summed.window_hours * 3600
        - date_diff('second', windows.window_start_at, windows.window_end_at)
    ) > 1
