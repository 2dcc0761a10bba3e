{{ config(materialized='incremental', incremental_strategy='by_thread') }}

with

threads as (

    select * from {{ ref('threads') }}
    {{ of_changed_threads() }}

),

thread_events as (

    select * from {{ ref('thread_events') }}
    {{ of_changed_threads() }}

),

switched as (

    select
        thread_id,
        occurred_at as started_at,
        event_sequence,
        case when event = 'closed' then 'closed' else 'open' end as state,
        'event' as basis

    from thread_events

    where event in ('closed', 'reopened')

),

-- Of two changes within one second the later one is what the second left.
changed as (

    select
        thread_id,
        started_at,
        state,
        basis

    from switched

    qualify row_number() over (
        partition by thread_id, started_at
        order by event_sequence desc
    ) = 1

),

ends_known as (

    select
        thread_id,
        min(started_at) as started_at,
        arg_min(state, (started_at, event_sequence)) as state,
        max(started_at) as last_started_at,
        arg_max(state, (started_at, event_sequence)) as last_state

    from switched

    group by thread_id

),

opened as (

    select
        threads.thread_id,
        threads.created_at as started_at,
        -- Reopened first of all: it was closed before the events that we know.
        case
            when ends_known.state = 'open' then 'closed'
            else 'open'
        end as state,
        case
            when ends_known.state = 'open' then 'inferred'
            else 'created'
        end as basis

    from threads

    left join ends_known
        on threads.thread_id = ends_known.thread_id

    where
        ends_known.started_at is null
        or threads.created_at < ends_known.started_at

),

-- GitHub shows it closed and no event that we know says so.
found_closed as (

    select
        threads.thread_id,
        threads.closed_at as started_at,
        'closed' as state,
        'current' as basis

    from threads

    left join ends_known
        on threads.thread_id = ends_known.thread_id

    where
        threads.state = 'closed'
        and threads.closed_at is not null
        and (
            ends_known.thread_id is null
            or threads.closed_at > ends_known.last_started_at
        )
        -- An event's clock and its thread's may differ by a second or two.
        and (
            ends_known.last_state is distinct from 'closed'
            or threads.closed_at
            > ends_known.last_started_at + interval '60 seconds'
        )

),

stacked as (

    select * from changed

    union all

    select * from opened

    union all

    select * from found_closed

),

-- Created and found closed within one second: closed is what that second left.
told_apart as (

    select *

    from stacked

    qualify row_number() over (
        partition by thread_id, started_at
        order by basis in ('event', 'current') desc
    ) = 1

),

bounded as (

    select
        thread_id,
        state,
        basis,
        started_at,
        lead(started_at) over (
            partition by thread_id
            order by started_at
        ) as ended_at

    from told_apart

),

-- What is gone is in no state any more.
ended as (

    select
        bounded.thread_id,
        bounded.state,
        bounded.basis,
        bounded.started_at,
        least(bounded.ended_at, threads.first_missed_at) as ended_at

    from bounded

    inner join threads
        on bounded.thread_id = threads.thread_id

    where coalesce(bounded.started_at < threads.first_missed_at, true)

)

select * from ended
