-- Who spoke on a hot thread, by role, comes to its comments and its participants.

with

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

roles as (

    select
        window_id,
        thread_id,
        unnest(roles, recursive := true)  -- noqa: AL03

    from hot_threads

),

summed as (

    select
        window_id,
        thread_id,
        sum(comment_count) as comment_count,
        coalesce(sum(comment_count) filter (where role != 'automation'), 0)
            as human_comment_count,
        coalesce(sum(person_count) filter (where role != 'automation'), 0)
            as participant_count

    from roles

    group by window_id, thread_id

)

select
    hot_threads.window_id,
    hot_threads.thread_id

from hot_threads

left join summed
    on
        hot_threads.window_id = summed.window_id
        and hot_threads.thread_id = summed.thread_id

where
    hot_threads.comment_count is distinct from summed.comment_count
    or hot_threads.human_comment_count is distinct from summed.human_comment_count
    or hot_threads.participant_count is distinct from summed.participant_count
