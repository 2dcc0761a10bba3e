{{ config(materialized='table') }}

with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

threads as (

    select * from {{ ref('threads') }}

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

),

described as (

    select
        tied.window_id,
        tied.thread_id,
        list(
            {
                'thread_id': tied.linked_thread_id,
                'number': cast(split_part(tied.linked_thread_id, '#', 2) as bigint),
                'relation': tied.relation,
                'title': linked_then.title,
                'url': linked.url,
                'status': linked_then.status
            }
            order by
                list_position(
                    ['fixes', 'fixed_by', 'mentions', 'mentioned_by'],
                    tied.relation
                ),
                tied.linked_thread_id
        ) as linked_threads

    from tied

    left join threads as linked
        on tied.linked_thread_id = linked.thread_id

    left join as_of_window_ends as linked_then
        on
            tied.window_id = linked_then.window_id
            and tied.linked_thread_id = linked_then.thread_id

    group by tied.window_id, tied.thread_id

)

select * from described
