{{ config(materialized='table') }}

with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

thread_links as (

    select * from {{ ref('thread_links') }}
    where relation != 'reverts'

),

both_ways as (

    select
        thread_id,
        linked_thread_id,
        relation,
        linked_at

    from thread_links

    union all

    select
        linked_thread_id as thread_id,
        thread_id as linked_thread_id,
        case relation when 'fixes' then 'fixed_by' else 'mentioned_by' end as relation,
        linked_at

    from thread_links

),

-- The strongest of what ties two threads, as far as it was said by the window's end.
tied as (

    select
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        both_ways.linked_thread_id,
        arg_min(
            both_ways.relation,
            list_position(
                ['fixes', 'fixed_by', 'mentions', 'mentioned_by'],
                both_ways.relation
            )
        ) as relation

    from as_of_window_ends

    inner join both_ways
        on
            as_of_window_ends.thread_id = both_ways.thread_id
            and as_of_window_ends.as_of_at > both_ways.linked_at

    where as_of_window_ends.is_active

    group by
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        both_ways.linked_thread_id

)

select * from tied
