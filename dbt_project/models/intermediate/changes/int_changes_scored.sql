with

kinded as (

    select * from {{ ref('int_changes_kinded') }}

),

windows as (

    select * from {{ ref('windows') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

tied as (

    select * from {{ ref('int_threads_tied_to_others') }}

),

told as (

    select * from {{ ref('int_threads_told_by_topic') }}

),

topics as (

    select * from {{ ref('topics') }}

),

ecosystems as (

    select * from {{ ref('int_threads_scored_for_ecosystems') }}

),

tied_counted as (

    select
        tied.window_id,
        tied.thread_id,
        count(*) filter (where tied.kind = 'issue') as linked_issue_count,
        -- A fixed issue is worth more, and more again as more people reported it.
        sum(
            case tied.relation when 'fixes' then 0.75 else 0.25 end
            + log2(greatest(tied.reporter_count, 1)) / 4
        ) filter (where tied.kind = 'issue') as points,
        bool_or(
            tied.kind = 'pr'
            and tied.relation in ('fixes', 'mentions')
            and {{ falls_within('tied.merged_at') }}
        ) as is_tied_to_merge_of_window

    from tied

    inner join windows
        on tied.window_id = windows.window_id

    group by tied.window_id, tied.thread_id

),

topics_reached as (

    select
        told.window_id,
        told.thread_id,
        list(
            told.topic
            order by topics.reach desc, told.topic asc
        ) as topics,
        sum(topics.reach) as reach

    from told

    inner join topics
        on told.topic = topics.topic

    group by told.window_id, told.thread_id

),

spotlit as (

    select
        windows.window_id,
        ecosystems.thread_id

    from windows

    inner join projects
        on windows.project = projects.project

    inner join ecosystems
        on
            projects.spotlight_ecosystem = ecosystems.ecosystem
            and windows.window_end_at = ecosystems.as_of_at

    where
        ecosystems.is_tagged
        and not ecosystems.is_author_only

),

parts as (

    select
        kinded.window_id,
        kinded.thread_id,
        kinded.change_kind,
        kinded.signal as change_signal,
        kinded.matched as change_matched,
        case
            when kinded.is_revert and tied_counted.is_tied_to_merge_of_window then 0
            else kinded.weight
        end as change_weight,
        list_contains(active.listings, 'merged_pr') as is_merged,
        active.human_comment_count,
        coalesce(tied_counted.linked_issue_count, 0) as linked_issue_count,
        coalesce(tied_counted.points, 0) as tied_points,
        as_of_window_ends.status = 'draft' as is_draft,
        coalesce(topics_reached.topics, []) as topics,
        -- What a minor change is about does not make it news.
        if(kinded.is_minor, 0, coalesce(topics_reached.reach, 0)) as reach,
        spotlit.thread_id is not null and not kinded.is_minor as is_spotlit

    from kinded

    inner join active
        on kinded.window_id = active.window_id and kinded.thread_id = active.thread_id

    inner join as_of_window_ends
        on
            kinded.window_id = as_of_window_ends.window_id
            and kinded.thread_id = as_of_window_ends.thread_id

    left join tied_counted
        on
            kinded.window_id = tied_counted.window_id
            and kinded.thread_id = tied_counted.thread_id

    left join topics_reached
        on
            kinded.window_id = topics_reached.window_id
            and kinded.thread_id = topics_reached.thread_id

    left join spotlit
        on kinded.window_id = spotlit.window_id and kinded.thread_id = spotlit.thread_id

),

scored as (

    select
        * exclude (tied_points, is_draft, reach, is_spotlit),
        cast(if(is_merged, {{ var('merged_points') }}, 0) as double) as merged_points,
        cast(if(is_draft, {{ var('draft_points') }}, 0) as double) as draft_points,
        least(
            log2(1 + human_comment_count) * {{ var('discussion_factor') }},
            {{ var('discussion_points_most') }}
        ) as discussion_points,
        -- The order of adding must not show.
        least(round(tied_points, 9), {{ var('link_points_most') }}) as link_points,
        least(reach, {{ var('topic_points_most') }}) as topic_points,
        cast(if(is_spotlit, {{ var('spotlight_points') }}, 0) as double)
            as ecosystem_points,
        -- How large a change is will be known once its files are loaded.
        cast(null as double) as size_points

    from parts

)

select
    *,
    -- In hundredths, so that what is equal on paper is equal here.
    round(
        change_weight
        + merged_points
        + draft_points
        + discussion_points
        + link_points
        + topic_points
        + ecosystem_points
        + coalesce(size_points, 0),
        2
    ) as notable_score

from scored
