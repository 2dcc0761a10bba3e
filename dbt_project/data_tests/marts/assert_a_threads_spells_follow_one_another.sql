-- A row is a spell that does not end where the next begins, or a thread without any.
with

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

followed as (

    select
        thread_id,
        started_at,
        ended_at,
        lead(started_at) over (
            partition by thread_id
            order by started_at
        ) as next_started_at

    from thread_states

),

compared as (

    select
        threads.thread_id,
        followed.started_at

    from threads

    left join followed
        on threads.thread_id = followed.thread_id

    where
        followed.started_at is null
        or followed.ended_at is distinct from followed.next_started_at
        or followed.ended_at <= followed.started_at

)

select * from compared
