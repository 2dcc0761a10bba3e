{{ config(materialized='table') }}

with

issue_comments as (

    select * from {{ ref('stg_github__issue_comments') }}

),

review_comments as (

    select * from {{ ref('stg_github__review_comments') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

vanishings as (

    select * from {{ ref('stg_pipelines__vanishings') }}

),

stacked as (

    select * from issue_comments

    union all

    select * from review_comments

),

joined as (

    select
        ---------- ids
        stacked.comment_id,
        stacked.thread_id,
        projects.project,
        stacked.author_id,

        ---------- text
        stacked.comment_kind,
        people.login as author_login,
        stacked.author_association,
        stacked.body,
        stacked.url,

        ---------- booleans
        coalesce(people.is_bot, false) as is_bot,
        stacked.minimized_reason is not null as is_minimized,
        coalesce(own.first_missed_at, of_thread.first_missed_at) is not null
            as is_deleted,

        ---------- timestamps
        stacked.created_at,
        stacked.updated_at,
        least(own.first_missed_at, of_thread.first_missed_at) as first_missed_at

    from stacked

    inner join projects
        on lower(stacked.repository) = lower(projects.repository)

    left join people
        on stacked.author_id = people.person_id

    -- A comment goes by itself, or with its thread.
    left join vanishings as own
        on stacked.comment_id = own.comment_id

    left join vanishings as of_thread
        on
            stacked.thread_id = of_thread.thread_id
            and of_thread.kind = 'thread'

)

select * from joined
