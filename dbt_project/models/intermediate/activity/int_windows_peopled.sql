{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

placed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

traced as (

    select * from {{ ref('int_windows_traced_to_start') }}

),

acts as (

    select
        placed.window_id,
        threads.author_id as person_id

    from placed

    inner join threads
        on placed.thread_id = threads.thread_id

    where
        placed.listing in ('new_issue', 'new_pr', 'merged_pr')
        and not threads.is_bot_author

    union all

    select
        window_id,
        try_cast(author_key as bigint) as person_id

    from comments

    where not is_bot

),

-- A ghost has no identity, so nobody knows whether it was here before.
contributors as (

    select
        window_id,
        count(distinct person_id) as contributor_count

    from acts

    group by window_id

),

firsts as (

    select
        project,
        kind,
        author_id,
        min(created_at) as first_opened_at

    from threads

    group by project, kind, author_id

),

openings as (

    select
        placed.window_id,
        threads.author_id as person_id,
        threads.author_association,
        traced.window_id is not null as is_history_known,
        threads.kind = 'pr'
        and threads.created_at = firsts.first_opened_at as is_first_pr

    from placed

    inner join threads
        on placed.thread_id = threads.thread_id

    inner join firsts
        on
            threads.project = firsts.project
            and threads.kind = firsts.kind
            and threads.author_id = firsts.author_id

    left join traced
        on placed.window_id = traced.window_id

    where
        placed.listing in ('new_issue', 'new_pr')
        and not threads.is_bot_author

),

newcomers as (

    select distinct
        openings.window_id,
        people.login

    from openings

    inner join people
        on openings.person_id = people.person_id

    left join associations
        on openings.author_association = associations.author_association

    where
        case
            when openings.is_history_known then openings.is_first_pr
            else coalesce(associations.is_first_timer, false)
        end

),

first_timers as (

    select
        window_id,
        list(
            login
            order by lower(login), login
        ) as first_timers

    from newcomers

    group by window_id

),

joined as (

    select
        windows.window_id,
        coalesce(contributors.contributor_count, 0) as contributor_count,
        coalesce(first_timers.first_timers, []) as first_timers,
        case when traced.window_id is not null then 'history' else 'association' end
            as first_timer_basis

    from windows

    left join contributors
        on windows.window_id = contributors.window_id

    left join first_timers
        on windows.window_id = first_timers.window_id

    left join traced
        on windows.window_id = traced.window_id

)

select * from joined
