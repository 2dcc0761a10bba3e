{{ config(materialized='incremental') }}

with

followed as (

    select * from {{ ref('int_hot_threads_followed') }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

stood as (

    select
        *,
        case
            when merged_at is not null then 'merged'
            when state = 'closed' then 'closed'
            when is_draft then 'draft'
            else 'open'
        end as status

    from followed

),

joined as (

    select
        stood.window_id,
        cast(row_number() over (
            partition by stood.window_id
            order by stood.heat_rank_before
        ) as integer) as position,
        stood.earlier_window_id,
        stood.thread_id,
        threads.number,
        threads.kind,
        stood.title,
        threads.url,
        stood.heat_rank_before,
        stood.human_comment_count_before,
        stood.status_before,
        stood.status,
        coalesce(stood.merged_at, stood.closed_at) as status_at,
        coalesce(thread_windows.human_comment_count, 0) as human_comment_count,
        thread_windows.heat_rank,
        case
            when stood.status = 'merged' and stood.status_before != 'merged'
                then 'merged'
            when stood.status = 'closed' and stood.status_before != 'closed'
                then 'closed'
            when
                stood.status in ('open', 'draft')
                and stood.status_before in ('closed', 'merged')
                then 'reopened'
            when hot_threads.thread_id is not null then 'still_hot'
            when thread_windows.human_comment_count > 0 then 'went_on'
            else 'cooled_off'
        end as outcome

    from stood

    inner join threads
        on stood.thread_id = threads.thread_id

    left join thread_windows
        on
            stood.window_id = thread_windows.window_id
            and stood.thread_id = thread_windows.thread_id

    left join hot_threads
        on
            stood.window_id = hot_threads.window_id
            and stood.thread_id = hot_threads.thread_id

)

select * from joined
