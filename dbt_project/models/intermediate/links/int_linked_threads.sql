{{ config(materialized='table') }}

with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

threads as (

    select * from {{ ref('threads') }}

),

affected_people as (

    select * from {{ ref('int_affected_people') }}

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
        case relation
            when 'reverts' then 'reverted_by'
            when 'fixes' then 'fixed_by'
            else 'mentioned_by'
        end as relation,
        linked_at

    from thread_links

),

-- As far as it was said by the window's end.
linked as (

    select
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        both_ways.linked_thread_id,
        array_agg(distinct both_ways.relation) as relations

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

affected_counted as (

    select
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        count(distinct affected_people.person_id) as affected_people_count

    from as_of_window_ends

    inner join affected_people
        on
            as_of_window_ends.thread_id = affected_people.thread_id
            and as_of_window_ends.as_of_at > affected_people.affected_at
            and {{ not_missing_at('as_of_window_ends.as_of_at', 'affected_people') }}

    group by as_of_window_ends.window_id, as_of_window_ends.thread_id

),

described as (

    select
        linked.window_id,
        linked.thread_id,
        linked.linked_thread_id,
        -- The strongest of several.
        list_filter(
            [
                'reverts', 'reverted_by', 'fixes', 'fixed_by', 'mentions',
                'mentioned_by'
            ],
            lambda relation: list_contains(linked.relations, relation)  -- noqa: RF02
        ) as relations,
        cast(split_part(linked.linked_thread_id, '#', 2) as bigint) as linked_number,
        linked_threads.kind as linked_kind,
        linked_then.title as linked_title,
        linked_threads.url as linked_url,
        linked_then.status as linked_status,
        linked_then.merged_at as linked_merged_at,
        linked_then.closed_at as linked_closed_at,
        linked_threads.created_at as linked_created_at,
        coalesce(affected_counted.affected_people_count, 0)
            as linked_affected_people_count,
        -- Until it was closed; what is open still waits.
        date_diff(
            'second',
            linked_threads.created_at,
            coalesce(linked_then.closed_at, linked_then.as_of_at)
        ) / 86400 as linked_open_days,
        -- Who mentions an issue before it is there cannot mean to repair it.
        coalesce(
            threads.kind = 'issue'
            and linked_threads.kind = 'pr'
            and linked_then.status != 'closed'
            and (
                list_contains(linked.relations, 'fixed_by')
                or list_contains(linked.relations, 'mentioned_by')
                and linked_threads.created_at > threads.created_at
            ),
            false
        ) as is_repair

    from linked

    inner join threads
        on linked.thread_id = threads.thread_id

    -- Of what was not there yet at the window's end only the page is known.
    left join as_of_window_ends as linked_then
        on
            linked.window_id = linked_then.window_id
            and linked.linked_thread_id = linked_then.thread_id

    left join threads as linked_threads
        on linked.linked_thread_id = linked_threads.thread_id

    left join affected_counted
        on
            linked.window_id = affected_counted.window_id
            and linked.linked_thread_id = affected_counted.thread_id

)

select
    * exclude (relations),
    relations[1] as relation,
    relations

from described
