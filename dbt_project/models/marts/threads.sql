{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('stg_github__threads') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

timelines as (

    select * from {{ source('pipelines', 'timelines') }}

),

tombstones as (

    select * from {{ ref('stg_pipelines__tombstones') }}

),

merged as (

    select
        thread_id,
        min(occurred_at) as merged_at

    from thread_events

    where event = 'merged'

    group by thread_id

),

last_switched as (

    select
        thread_id,
        max(occurred_at) as switched_at,
        arg_max(event, (occurred_at, event_sequence)) as event,
        arg_max_null(state_reason, (occurred_at, event_sequence)) as state_reason

    from thread_events

    where event in ('closed', 'reopened')

    group by thread_id

),

states_held as (

    select
        thread_id,
        max(started_at) as started_at,
        arg_max(state, started_at) as state

    from thread_states

    group by thread_id

),

-- Events can be newer than the row: both tell what a thread is now.
joined as (

    select
        ---------- ids
        threads.thread_id,
        projects.project,
        threads.number,
        threads.author_id,

        ---------- text
        threads.kind,
        threads.title,
        threads.body,
        coalesce(states_held.state, threads.state) as state,
        case
            when
                last_switched.switched_at > threads.updated_at
                or threads.state != states_held.state
                then case last_switched.event
                    when 'reopened' then 'reopened'
                    else last_switched.state_reason
                end
            else threads.state_reason
        end as state_reason,
        people.login as author_login,
        threads.author_association,
        threads.labels,
        threads.url,

        ---------- booleans
        threads.is_draft,
        coalesce(people.is_bot, false) as is_bot_author,
        tombstones.thread_id is not null as is_deleted,

        ---------- timestamps
        threads.created_at,
        threads.updated_at,
        case
            when states_held.thread_id is null then threads.closed_at
            when states_held.state = 'closed' then states_held.started_at
        end as closed_at,
        coalesce(threads.merged_at, merged.merged_at) as merged_at,
        threads.fetched_at,
        timelines.read_at as timeline_read_at,
        tombstones.missing_since_at

    from threads

    inner join projects
        on lower(threads.repository) = lower(projects.repository)

    left join people
        on threads.author_id = people.person_id

    left join merged
        on threads.thread_id = merged.thread_id

    left join last_switched
        on threads.thread_id = last_switched.thread_id

    left join states_held
        on threads.thread_id = states_held.thread_id

    left join timelines
        on
            projects.project = timelines.project
            and threads.number = timelines.number

    left join tombstones
        on
            threads.thread_id = tombstones.thread_id
            and tombstones.kind = 'thread'

)

select * from joined
