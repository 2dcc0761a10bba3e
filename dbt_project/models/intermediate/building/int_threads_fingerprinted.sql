{{ config(materialized='table') }}

with

threads as (

    select
        thread_id,
        repository,
        author_id,
        created_at,
        fetched_at,
        hash(loaded, len(labels)) as fact

    from (
        select * from {{ ref('stg_github__issues') }}
    ) as loaded

),

issue_comments as (

    select
        comment_id,
        thread_id,
        repository,
        author_id,
        hash(loaded) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__issue_comments') }}
    ) as loaded

),

review_comments as (

    select
        comment_id,
        thread_id,
        repository,
        author_id,
        hash(loaded) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__review_comments') }}
    ) as loaded

),

thread_events as (

    select
        thread_id,
        repository,
        actor_id,
        occurred_at,
        hash(loaded) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__issue_events') }}
    ) as loaded

),

pull_details as (

    select
        thread_id,
        hash(loaded) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__pull_details') }}
    ) as loaded

),

changed_files as (

    select
        thread_id,
        hash(loaded) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__changed_files') }}
    ) as loaded

),

people as (

    select
        person_id,
        hash(loaded) as fact

    from (
        select * from {{ ref('int_people_named') }}
    ) as loaded

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

timelines as (

    select
        project,
        number,
        hash(loaded) as fact

    from (
        select * from {{ ref('stg_pipelines__timelines') }}
    ) as loaded

),

vanishings as (

    select
        comment_id,
        thread_id,
        hash(loaded) as fact

    from (
        select * from {{ ref('stg_pipelines__vanishings') }}
    ) as loaded

),

coverage as (

    select * from {{ ref('coverage') }}

),

last_events as (

    select
        thread_id,
        max(occurred_at) as last_event_at

    from thread_events

    group by thread_id

),

-- Which events may undo something: only this of the coverage matters to a thread. It
-- stays as it is while the intervals grow over days before it or without its events.
spans as (

    select
        threads.thread_id,
        greatest(coverage.covered_from, threads.created_at) as known_from,
        least(
            coverage.covered_until,
            coalesce(last_events.last_event_at, timestamptz '1970-01-01 00:00:00+00')
        ) as known_until

    from threads

    inner join projects
        on threads.repository = projects.repository

    inner join coverage
        on
            projects.project = coverage.project
            and threads.fetched_at <= coverage.covered_until

    left join last_events
        on threads.thread_id = last_events.thread_id

    where coverage.stream = 'issue_events'

),

facts as (

    select
        threads.thread_id,
        hash(threads.fact, people.fact, projects.project) as fact

    from threads

    left join projects
        on threads.repository = projects.repository

    left join people
        on threads.author_id = people.person_id

    union all

    select
        issue_comments.thread_id,
        hash(
            issue_comments.fact,
            projects.project,
            people.fact,
            vanishings.fact
        ) as fact

    from issue_comments

    left join projects
        on issue_comments.repository = projects.repository

    left join people
        on issue_comments.author_id = people.person_id

    -- Under whatever number it was missed: only its id says which one it is.
    left join vanishings
        on issue_comments.comment_id = vanishings.comment_id

    union all

    select
        review_comments.thread_id,
        hash(
            review_comments.fact,
            projects.project,
            people.fact,
            vanishings.fact
        ) as fact

    from review_comments

    left join projects
        on review_comments.repository = projects.repository

    left join people
        on review_comments.author_id = people.person_id

    -- Under whatever number it was missed: only its id says which one it is.
    left join vanishings
        on review_comments.comment_id = vanishings.comment_id

    union all

    select
        thread_events.thread_id,
        hash(thread_events.fact, projects.project, people.fact) as fact

    from thread_events

    left join projects
        on thread_events.repository = projects.repository

    left join people
        on thread_events.actor_id = people.person_id

    union all

    select
        thread_id,
        fact

    from pull_details

    union all

    select
        thread_id,
        fact

    from changed_files

    union all

    select
        projects.repository || '#' || timelines.number as thread_id,
        timelines.fact

    from timelines

    inner join projects
        on timelines.project = projects.project

    union all

    select
        thread_id,
        fact

    from vanishings

    where comment_id is null

    union all

    select
        thread_id,
        hash(spans) as fact

    from spans

)

select
    -- What names no thread is one of its own.
    coalesce(thread_id, '') as thread_id,
    sum(fact) as fingerprint

from facts

group by coalesce(thread_id, '')
