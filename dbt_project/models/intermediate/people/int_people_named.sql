{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('stg_github__threads') }}

),

comments as (

    select * from {{ ref('stg_github__comments') }}

),

thread_events as (

    select * from {{ ref('stg_github__events') }}

),

automation_accounts as (

    select * from {{ ref('automation_accounts') }}

),

sighted as (

    select
        author_id as person_id,
        author_login as login,
        author_type as type,
        fetched_at

    from threads

    union all

    select
        author_id as person_id,
        author_login as login,
        author_type as type,
        fetched_at

    from comments

    union all

    select
        actor_id as person_id,
        actor_login as login,
        actor_type as type,
        fetched_at

    from thread_events

),

named as (

    select
        person_id,
        arg_max(login, (fetched_at, login)) as login,
        arg_max(type, (fetched_at, login, type)) as type

    from sighted

    where person_id is not null

    group by person_id

),

judged as (

    select
        named.person_id,
        named.login,
        coalesce(
            named.type = 'Bot'
            or named.login like '%[bot]'
            or automation_accounts.login is not null,
            false
        ) as is_bot

    from named

    left join automation_accounts
        on lower(named.login) = lower(automation_accounts.login)

)

select * from judged
