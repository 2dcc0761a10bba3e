{{ config(materialized='incremental', incremental_strategy='by_thread') }}

with

issues as (

    select * from {{ ref('stg_github__issues') }}
    {{ of_changed_threads() }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

timelines as (

    select * from {{ ref('stg_pipelines__timelines') }}

),

vanishings as (

    select * from {{ ref('stg_pipelines__vanishings') }}

),

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
        issues.state,
        issues.state_reason,
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
        issues.closed_at,
        issues.merged_at,
        issues.fetched_at,
        timelines.read_at as timeline_read_at,
        vanishings.first_missed_at

    from issues

    inner join projects
        on issues.repository = projects.repository

    left join people
        on issues.author_id = people.person_id

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
