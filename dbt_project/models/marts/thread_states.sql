with

threads as (

    select * from {{ ref('threads') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

-- Of two changes within one second the later one is what the second left.
changed as (

    select
        thread_id,
        occurred_at as started_at,
        case when event = 'closed' then 'closed' else 'open' end as state,
        'event' as basis

    from thread_events

    where event in ('closed', 'reopened')

    qualify row_number() over (
        partition by thread_id, occurred_at
        order by event_sequence desc
    ) = 1

),

first_changed as (

    select
        thread_id,
        min(started_at) as started_at,
        arg_min(state, started_at) as state,
        max(started_at) as last_started_at,
        arg_max(state, started_at) as last_state

    from changed

    group by thread_id

),

opened as (

    select
        threads.thread_id,
        threads.created_at as started_at,
        -- Reopened first of all: it was closed before the events that we know.
        case
            when first_changed.state = 'open' then 'closed'
            else 'open'
        end as state,
        case
            when first_changed.state = 'open' then 'inferred'
            else 'created'
        end as basis

    from threads

    left join first_changed
        on threads.thread_id = first_changed.thread_id

    where
        first_changed.started_at is null
        or threads.created_at < first_changed.started_at

),

-- GitHub shows it closed and no event that we know says so.
found_closed as (

    select
        threads.thread_id,
        threads.closed_at as started_at,
        'closed' as state,
        'current' as basis

    from threads

    left join first_changed
        on threads.thread_id = first_changed.thread_id

    where
        threads.state = 'closed'
        and threads.closed_at is not null
        and (
            first_changed.thread_id is null
            or threads.closed_at > first_changed.last_started_at
        )
        -- An event's clock and its thread's may differ by a second or two.
        and (
            first_changed.last_state is distinct from 'closed'
            or threads.closed_at
            > first_changed.last_started_at + interval '60 seconds'
        )

),

stacked as (

    select * from changed

    union all

    select * from opened

    union all

    select * from found_closed

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

    from stacked

)

select * from bounded
