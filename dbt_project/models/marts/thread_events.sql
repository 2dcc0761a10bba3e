{{ config(materialized='table') }}

with

issue_events as (

    select * from {{ ref('stg_github__issue_events') }}

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
        issue_events.event_id,
        issue_events.thread_id,
        projects.project,
        issue_events.actor_id,

        ---------- text
        issue_events.event,
        people.login as actor_login,
        issue_events.label,
        issue_events.title_before,
        issue_events.title_after,
        issue_events.state_reason,

        ---------- numerics
        issue_events.event_sequence,

        ---------- timestamps
        issue_events.occurred_at

    from issue_events

    inner join projects
        on lower(issue_events.repository) = lower(projects.repository)

    left join people
        on issue_events.actor_id = people.person_id

)

select * from joined
