{{ config(materialized='table') }}

with

comments as (

    select * from {{ ref('stg_github__comments') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

tombstones as (

    select * from {{ ref('stg_pipelines__tombstones') }}

),

joined as (

    select
        ---------- ids
        comments.comment_id,
        comments.thread_id,
        projects.project,
        comments.author_id,

        ---------- text
        comments.comment_kind,
        people.login as author_login,
        comments.author_association,
        comments.body,
        comments.url,

        ---------- booleans
        coalesce(people.is_bot, false) as is_bot,
        comments.minimized_reason is not null as is_minimized,
        coalesce(own.missing_since_at, of_thread.missing_since_at) is not null
            as is_deleted,

        ---------- timestamps
        comments.created_at,
        comments.updated_at,
        least(own.missing_since_at, of_thread.missing_since_at) as missing_since_at

    from comments

    inner join projects
        on lower(comments.repository) = lower(projects.repository)

    left join people
        on comments.author_id = people.person_id

    -- A comment goes by itself, or with its thread.
    left join tombstones as own
        on comments.comment_id = own.comment_id

    left join tombstones as of_thread
        on
            comments.thread_id = of_thread.thread_id
            and of_thread.kind = 'thread'

)

select * from joined
