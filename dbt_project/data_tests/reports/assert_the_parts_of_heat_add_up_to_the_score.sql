/*
A row is a thread of the hot discussions whose people's parts do not make its heat, its
comments or its participants.
*/
with

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

parts as (

    select * from {{ ref('rpt_hot_thread_heat') }}

),

summed as (

    select
        window_id,
        thread_id,
        sum(heat) as heat,
        sum(human_comment_count) as human_comment_count,
        count(*) as participant_count

    from parts

    group by window_id, thread_id

)

select
    hot_threads.window_id,
    hot_threads.thread_id,
    hot_threads.heat_score,
    summed.heat
from hot_threads
left join summed
    on
        hot_threads.window_id = summed.window_id
        and hot_threads.thread_id = summed.thread_id
where
    summed.thread_id is null
    or abs(hot_threads.heat_score - summed.heat) > 0.000001
    or hot_threads.human_comment_count != summed.human_comment_count
    or hot_threads.participant_count != summed.participant_count
