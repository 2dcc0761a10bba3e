with

threads as (

    select * from {{ ref('stg_github__threads') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

timelines as (

    select * from {{ source('pipelines', 'timelines') }}

),

tombstones as (

    select * from {{ ref('stg_pipelines__tombstones') }}

),

watched as (

    select
        threads.thread_id,
        projects.project,
        threads.state,
        threads.created_at,
        threads.updated_at,
        threads.closed_at,
        timelines.read_at as timeline_read_at,
        tombstones.missing_since_at

    from threads

    inner join projects
        on lower(threads.repository) = lower(projects.repository)

    left join timelines
        on
            projects.project = timelines.project
            and threads.number = timelines.number

    left join tombstones
        on
            threads.thread_id = tombstones.thread_id
            and tombstones.kind = 'thread'

),

switched as (

    select
        thread_id,
        occurred_at as stated_at,
        event_sequence,
        case when event = 'reopened' then 'open' else 'closed' end as state,
        event

    from thread_events

    where event in ('closed', 'reopened', 'merged')

),

-- A merge closes, and the row says when it was closed. A closed event within 60 seconds
-- after them speaks of the same close: clocks differ by a second or two.
closes_without_event as (

    select
        named.thread_id,
        named.stated_at,
        named.basis

    from (
        select
            thread_id,
            closed_at as stated_at,
            'current' as basis

        from watched

        where
            state = 'closed'
            and closed_at is not null

        union all

        select
            thread_id,
            stated_at,
            'event' as basis

        from switched

        where event = 'merged'
    ) as named

    anti join switched as closes
        on
            named.thread_id = closes.thread_id
            and closes.event = 'closed'
            and named.stated_at <= closes.stated_at
            and named.stated_at >= closes.stated_at - interval '60 seconds'

),

stated as (

    select
        thread_id,
        stated_at,
        state,
        'event' as basis,
        event_sequence

    from switched

    where event != 'merged'

    union all

    select
        thread_id,
        stated_at,
        'closed' as state,
        basis,
        null as event_sequence

    from closes_without_event

),

-- Of two statements within one second the later one is what the second left.
settled as (

    select
        *,
        first_value(state) over (
            partition by thread_id, stated_at
            order by event_sequence nulls last
        ) as state_first,
        bool_or(state = 'open') over (partition by thread_id, stated_at)
            as is_reopened

    from stated

    qualify row_number() over (
        partition by thread_id, stated_at
        order by event_sequence desc nulls last, basis desc
    ) = 1

),

followed as (

    select
        settled.*,
        watched.project,
        watched.state as row_state,
        watched.updated_at,
        watched.closed_at,
        watched.timeline_read_at,
        lag(settled.state) over by_thread as state_before,
        lag(settled.stated_at) over by_thread as stated_before_at,
        max(settled.stated_at) over (partition by settled.thread_id)
            as last_stated_at

    from settled

    inner join watched
        on settled.thread_id = watched.thread_id

    window by_thread as (
        partition by settled.thread_id
        order by settled.stated_at
    )

),

-- From a statement up to here nothing that happened to its thread is unknown.
known as (

    select
        followed.thread_id,
        followed.stated_at,
        greatest(
            case
                when followed.timeline_read_at >= followed.stated_at
                    then followed.timeline_read_at
            end,
            max(coverage.covered_until)
        ) as known_until

    from followed

    left join coverage
        on
            followed.project = coverage.project
            and coverage.stream = 'issue_events'
            and followed.stated_at >= coverage.covered_from
            and followed.stated_at <= coverage.covered_until

    where followed.state = 'closed'

    group by followed.thread_id, followed.stated_at, followed.timeline_read_at

),

-- A close of what was closed is none: a reason was changed, or a commit and its pull
-- request both closed it. Unless a reopening between the two may have been missed.
changed as (

    select
        followed.*,
        known.known_until

    from followed

    left join known
        on
            followed.thread_id = known.thread_id
            and followed.stated_at = known.stated_at

    left join known as known_before
        on
            followed.thread_id = known_before.thread_id
            and followed.stated_before_at = known_before.stated_at

    where
        followed.state = 'open'
        or followed.state_before is distinct from 'closed'
        or followed.is_reopened
        or not (
            coalesce(known_before.known_until >= followed.stated_at, false)
            or (
                followed.basis = 'current'
                and followed.stated_at
                <= followed.stated_before_at + interval '60 seconds'
            )
            or coalesce(
                followed.row_state = 'closed'
                and followed.closed_at < followed.stated_at
                and followed.updated_at >= followed.stated_at,
                false
            )
        )

),

ends_known as (

    select
        thread_id,
        min(stated_at) as first_changed_at,
        arg_min(state_first, stated_at) as first_state,
        max(stated_at) as last_changed_at,
        arg_max(state, stated_at) as last_state,
        arg_max_null(known_until, stated_at) as known_until,
        max(last_stated_at) as last_stated_at

    from changed

    group by thread_id

),

-- The row is newer than the last close and shows it open: a reopening was missed. It
-- came after all that is known; where nothing was to be missed, the close is void.
reopenings_missed as (

    select
        ends_known.thread_id,
        case
            when
                ends_known.known_until > ends_known.last_changed_at
                and ends_known.known_until < watched.updated_at
                then ends_known.known_until
            else ends_known.last_changed_at
        end as stated_at,
        'open' as state,
        'inferred' as basis

    from ends_known

    inner join watched
        on ends_known.thread_id = watched.thread_id

    anti join switched
        on
            ends_known.thread_id = switched.thread_id
            and switched.event = 'merged'

    where
        ends_known.last_state = 'closed'
        and watched.state = 'open'
        and watched.updated_at > ends_known.last_stated_at

),

opened as (

    select
        watched.thread_id,
        watched.created_at as stated_at,
        -- Reopened first of all: it was closed before the events that we know.
        case
            when ends_known.first_state = 'open' then 'closed'
            else 'open'
        end as state,
        case
            when ends_known.first_state = 'open' then 'inferred'
            else 'created'
        end as basis

    from watched

    left join ends_known
        on watched.thread_id = ends_known.thread_id

    where coalesce(watched.created_at < ends_known.first_changed_at, true)

),

stacked as (

    select
        *,
        1 as precedence

    from reopenings_missed

    union all

    select
        thread_id,
        stated_at,
        state,
        basis,
        2 as precedence

    from changed

    union all

    select
        *,
        3 as precedence

    from opened

),

told_apart as (

    select *

    from stacked

    qualify row_number() over (
        partition by thread_id, stated_at
        order by precedence
    ) = 1

),

-- Open after open is one spell: what would have ended the first was no close.
turned as (

    select *

    from told_apart

    qualify coalesce(
        state = 'closed'
        or lag(state) over (
            partition by thread_id
            order by stated_at
        ) = 'closed',
        true
    )

),

bounded as (

    select
        thread_id,
        state,
        basis,
        stated_at as started_at,
        lead(stated_at) over (
            partition by thread_id
            order by stated_at
        ) as ended_at

    from turned

),

-- What is gone is in no state any more.
ended as (

    select
        bounded.thread_id,
        bounded.state,
        bounded.basis,
        bounded.started_at,
        least(bounded.ended_at, watched.missing_since_at) as ended_at

    from bounded

    inner join watched
        on bounded.thread_id = watched.thread_id

    where coalesce(bounded.started_at < watched.missing_since_at, true)

)

select * from ended
