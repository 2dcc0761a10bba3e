{{ config(materialized='table') }}

with

issues as (

    select * from {{ ref('stg_github__issues') }}

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

    select * from {{ ref('stg_pipelines__timelines') }}

),

vanishings as (

    select * from {{ ref('stg_pipelines__vanishings') }}

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
        issues.thread_id,
        projects.project,
        issues.number,
        issues.author_id,

        ---------- text
        issues.kind,
        issues.title,
        issues.body,
        coalesce(states_held.state, issues.state) as state,
        case
            when
                last_switched.switched_at > issues.updated_at
                or issues.state != states_held.state
                then case last_switched.event
                    when 'reopened' then 'reopened'
                    else last_switched.state_reason
                end
            else issues.state_reason
        end as state_reason,
        people.login as author_login,
        issues.author_association,
        issues.labels,
        issues.url,

        ---------- booleans
        issues.is_draft,
        coalesce(people.is_bot, false) as is_bot_author,
        vanishings.thread_id is not null as is_deleted,

        ---------- timestamps
        issues.created_at,
        issues.updated_at,
        case
            when states_held.thread_id is null then issues.closed_at
            when states_held.state = 'closed' then states_held.started_at
        end as closed_at,
        coalesce(issues.merged_at, merged.merged_at) as merged_at,
        issues.fetched_at,
        timelines.read_at as timeline_read_at,
        vanishings.first_missed_at

    from issues

    inner join projects
        on lower(issues.repository) = lower(projects.repository)

    left join people
        on issues.author_id = people.person_id

    left join merged
        on issues.thread_id = merged.thread_id

    left join last_switched
        on issues.thread_id = last_switched.thread_id

    left join states_held
        on issues.thread_id = states_held.thread_id

    left join timelines
        on
            projects.project = timelines.project
            and issues.number = timelines.number

    left join vanishings
        on
            issues.thread_id = vanishings.thread_id
            and vanishings.kind = 'thread'

)

select * from joined
