{{ config(materialized='table') }}

with

rated as (

    select * from {{ ref('int_threads_rated_for_severity') }}

),

windows as (

    select * from {{ ref('windows') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

linked as (

    select * from {{ ref('int_linked_threads') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

titles as (

    select * from {{ ref('int_titles_matched') }}

),

proposal_words as (

    select * from {{ ref('proposal_words') }}

),

told as (

    select * from {{ ref('int_threads_told_by_topic') }}

),

topics as (

    select * from {{ ref('topics') }}

),

proposing as (

    select
        rated.window_id,
        rated.thread_id,
        titles.matched

    from rated

    inner join as_of_window_ends
        on
            rated.window_id = as_of_window_ends.window_id
            and rated.thread_id = as_of_window_ends.thread_id

    inner join titles
        on as_of_window_ends.title = titles.title

    where titles.vocabulary = 'proposal'

    union all

    select
        rated.window_id,
        rated.thread_id,
        proposal_words.term as matched

    from rated

    inner join as_of_window_ends
        on
            rated.window_id = as_of_window_ends.window_id
            and rated.thread_id = as_of_window_ends.thread_id

    inner join proposal_words
        on list_contains(as_of_window_ends.labels, proposal_words.term)

    where proposal_words.signal = 'label'

),

proposals as (

    select
        window_id,
        thread_id,
        min(matched) as proposal_matched

    from proposing

    group by window_id, thread_id

),

reached as (

    select
        told.window_id,
        told.thread_id,
        sum(
            topics.reach * if(told.is_in_title, 1, {{ var('label_reach_factor') }})
        ) as reach

    from told

    inner join topics
        on told.topic = topics.topic

    group by told.window_id, told.thread_id

),

answered_by_pr as (

    select distinct
        window_id,
        thread_id

    from linked

    where is_repair

),

parts as (

    select
        rated.window_id,
        rated.thread_id,
        rated.severities,
        -- A pull request about a crash is its cure.
        rated.severity_points
        * if(threads.kind = 'pr', {{ var('severity_pr_factor') }}, 1)
            as severity_points,
        active.human_comment_count,
        active.heat_score,
        coalesce(voiced.reporter_count, 0) as reporter_count,
        voiced.waiting_since_at,
        date_diff('second', voiced.waiting_since_at, windows.window_end_at) / 86400
            as waiting_days,
        date_diff('second', threads.created_at, windows.window_end_at) / 86400
            as age_days,
        threads.kind = 'issue' as is_issue,
        threads.kind = 'issue'
        and proposals.thread_id is null
        and answered_by_pr.thread_id is null as is_unlinked,
        proposals.thread_id is not null as is_proposal,
        proposals.proposal_matched,
        coalesce(reached.reach, 0) as reach

    from rated

    inner join windows
        on rated.window_id = windows.window_id

    inner join active
        on rated.window_id = active.window_id and rated.thread_id = active.thread_id

    inner join threads
        on rated.thread_id = threads.thread_id

    left join voiced
        on rated.window_id = voiced.window_id and rated.thread_id = voiced.thread_id

    left join proposals
        on
            rated.window_id = proposals.window_id
            and rated.thread_id = proposals.thread_id

    left join reached
        on rated.window_id = reached.window_id and rated.thread_id = reached.thread_id

    left join answered_by_pr
        on
            rated.window_id = answered_by_pr.window_id
            and rated.thread_id = answered_by_pr.thread_id

),

hurting as (

    select
        *,
        least(
            log2(1 + heat_score) * {{ var('heat_factor') }},
            {{ var('heat_points_most') }}
        ) as heat_points,
        -- Who speaks on a pull request reviews it and reports nothing.
        if(
            is_issue,
            least(log2(greatest(reporter_count, 1)), {{ var('reporter_points_most') }}),
            0
        ) as reporter_points,
        if(
            is_proposal,
            {{ var('proposal_points') }}
            + least(reach, {{ var('topic_points_most') }}),
            0
        ) as proposal_points

    from parts

),

-- Neglect makes worse what matters; by itself it hurts nobody.
bounded as (

    select
        *,
        (severity_points + heat_points + reporter_points + proposal_points)
        * {{ var('neglect_share') }} as neglect_points_most

    from hurting

),

scored as (

    select
        * exclude (is_issue, age_days, reach, neglect_points_most),
        least(
            log2(1 + coalesce(waiting_days, 0)) * {{ var('waiting_factor') }},
            {{ var('waiting_points_most') }},
            neglect_points_most
        ) as waiting_points,
        -- Whatever was reported this morning has no repair yet.
        if(
            is_unlinked,
            least(
                least(age_days / {{ var('unlinked_days') }}, 1)
                * {{ var('unlinked_points') }},
                neglect_points_most
            ),
            0
        ) as unlinked_points

    from bounded

),

summed as (

    select
        *,
        -- In hundredths, so that what is equal on paper is equal here.
        round(
            severity_points
            + heat_points
            + reporter_points
            + proposal_points
            + waiting_points
            + unlinked_points,
            2
        ) as watch_score

    from scored

)

select * from summed
