{{ config(materialized='table') }}

with

events as (

    select * from {{ ref('stg_github__events') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

joined as (

    select
        ---------- ids
        events.event_id,
        events.thread_id,
        projects.project,
        events.actor_id,

        ---------- text
        events.event,
        people.login as actor_login,
        events.label,
        events.rename_from,
        events.rename_to,
        events.state_reason,

        ---------- numerics
        events.event_sequence,

        ---------- timestamps
        events.occurred_at

    from events

    inner join projects
        on lower(events.repository) = lower(projects.repository)

    left join people
        on events.actor_id = people.person_id

)

select * from joined
