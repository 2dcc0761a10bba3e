/*
A row is a synced window and kind of thread whose balance does not close, but for
threads that are gone:
open at its start + opened + reopened - closed = open at its end.
*/
with

windows as (

    select * from {{ ref('windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

turned as (

    select
        thread_id,
        state,
        started_at,
        coalesce(ended_at, timestamptz 'infinity') as ended_at,
        lag(state) over (
            partition by thread_id
            order by started_at
        ) as state_before

    from thread_states

),

opened as (

    select
        windows.window_id,
        threads.kind,
        count(threads.thread_id) as opened_count

    from windows

    inner join threads
        on
            windows.project = threads.project
            and {{ falls_within('threads.created_at') }}
            and threads.missing_since_at is null

    group by windows.window_id, threads.kind

),

turns_counted as (

    select
        windows.window_id,
        threads.kind,
        count(*) filter (
            where turned.state = 'open'
            and turned.started_at < windows.window_start_at
            and turned.ended_at >= windows.window_start_at
        ) as open_at_start_count,
        count(*) filter (
            where turned.state = 'open'
            and turned.state_before = 'closed'
            and {{ falls_within('turned.started_at') }}
        ) as reopened_count,
        count(*) filter (
            where turned.state = 'closed'
            and turned.state_before is distinct from 'closed'
            and {{ falls_within('turned.started_at') }}
        ) as closed_count,
        count(*) filter (
            where turned.state = 'open'
            and turned.started_at < windows.window_end_at
            and turned.ended_at >= windows.window_end_at
        ) as open_at_end_count

    from windows

    inner join threads
        on windows.project = threads.project

    inner join turned
        on threads.thread_id = turned.thread_id

    where
        windows.completeness = 'synced'
        and threads.missing_since_at is null

    group by windows.window_id, threads.kind

),

balanced as (

    select
        turns_counted.*,
        coalesce(opened.opened_count, 0) as opened_count

    from turns_counted

    left join opened
        on
            turns_counted.window_id = opened.window_id
            and turns_counted.kind = opened.kind

)

select *
from balanced
where
    open_at_start_count + opened_count + reopened_count - closed_count
    != open_at_end_count
