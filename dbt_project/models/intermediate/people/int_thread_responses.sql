{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

-- How long a thread's comments and events are known without a gap from its opening on.
known as (

    select
        threads.thread_id,
        min(coverage.covered_until) as known_until

    from threads

    inner join coverage
        on
            threads.project = coverage.project
            and threads.created_at >= coverage.covered_from
            and threads.created_at < coverage.covered_until

    where coverage.stream in ('issue_comments', 'review_comments', 'issue_events')

    group by threads.thread_id

    having count(distinct coverage.stream) = 3

),

acts as (

    select
        comment_id as response_id,
        thread_id,
        author_id as responder_id,
        case comment_kind when 'review_comment' then 'review' else 'comment' end
            as response_kind,
        created_at as responded_at,
        missing_since_at

    from comments

    where not is_bot

    union all

    -- A second `closed` only changes the reason: the first one closed it.
    select
        thread_events.event_id as response_id,
        thread_events.thread_id,
        thread_events.actor_id as responder_id,
        if(thread_events.event = 'merged', 'merge', 'close') as response_kind,
        thread_events.occurred_at as responded_at,
        null as missing_since_at

    from thread_events

    left join people
        on thread_events.actor_id = people.person_id

    left join thread_states
        on
            thread_events.thread_id = thread_states.thread_id
            and thread_events.occurred_at = thread_states.started_at
            and thread_states.state = 'closed'

    where
        not coalesce(people.is_bot, false)
        and (
            thread_events.event = 'merged'
            or (
                thread_events.event = 'closed'
                and thread_states.thread_id is not null
            )
        )

),

-- Of two ghosts nobody can tell whether they are one.
responses as (

    select
        acts.response_id,
        acts.thread_id,
        acts.responder_id,
        acts.response_kind,
        acts.responded_at,
        acts.missing_since_at,
        date_diff('second', threads.created_at, acts.responded_at) / 3600
            as time_to_response_hours

    from acts

    inner join threads
        on acts.thread_id = threads.thread_id

    inner join known
        on acts.thread_id = known.thread_id

    where
        acts.responder_id is distinct from threads.author_id
        and acts.responded_at >= threads.created_at
        and acts.responded_at < known.known_until

),

-- What is gone answers nobody any more; then the next one is the first.
numbered as (

    select
        *,
        coalesce(
            count(*) filter (where missing_since_at is null) over (
                partition by thread_id
                order by responded_at asc, response_kind desc, response_id asc
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as lasting_count_before

    from responses

),

joined as (

    select
        known.thread_id,
        known.known_until,
        numbered.response_id,
        numbered.responder_id,
        numbered.response_kind,
        numbered.responded_at,
        numbered.time_to_response_hours,
        numbered.missing_since_at

    from known

    left join numbered
        on
            known.thread_id = numbered.thread_id
            and numbered.lasting_count_before = 0

)

select * from joined
