{{ config(materialized='table') }}

with

kinded as (

    select * from {{ ref('int_changes_kinded') }}

),

windows as (

    select * from {{ ref('windows') }}

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

sized as (

    select * from {{ ref('int_changes_sized') }}

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
        {{ listed_in_order('told.topic', ['-topics.reach', 'told.topic']) }} as topics,
        -- A label says whose files are touched, a title what it is about.
        sum(
            topics.reach * if(told.is_in_title, 1, {{ var('label_reach_factor') }})
        ) as reach

    from told

    inner join topics
        on told.topic = topics.topic

    semi join kinded
        on told.window_id = kinded.window_id and told.thread_id = kinded.thread_id

    group by told.window_id, told.thread_id

),

-- Beside one of unknown size no size says anything: then nobody's counts.
all_sized as (

    select kinded.window_id

    from kinded

    left join sized
        on kinded.thread_id = sized.thread_id

    group by kinded.window_id

    having bool_and(kinded.is_minor or sized.additions is not null)

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
        case
            when all_sized.window_id is null then null
            when kinded.is_minor then {{ var('usual_line_count') }}
            else sized.additions + coalesce(sized.deletions, 0)
        end as line_count

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

    left join all_sized
        on kinded.window_id = all_sized.window_id

    left join sized
        on kinded.thread_id = sized.thread_id

),

scored as (

    select
        * exclude (tied_points, is_draft, reach, line_count),
        cast(if(is_merged, {{ var('merged_points') }}, 0) as double) as merged_points,
        cast(if(is_draft, {{ var('draft_points') }}, 0) as double) as draft_points,
        least(
            log2(1 + human_comment_count) * {{ var('discussion_factor') }},
            {{ var('discussion_points_most') }}
        ) as discussion_points,
        -- The order of adding must not show.
        least(round(tied_points, 9), {{ var('link_points_most') }}) as link_points,
        least(reach, {{ var('topic_points_most') }}) as topic_points,
        -- Not by least() alone: it takes a null for no limit.
        case
            when line_count is not null
                then greatest(
                    least(
                        log10(greatest(line_count, 1) / {{ var('usual_line_count') }})
                        * {{ var('size_factor') }},
                        {{ var('size_points_most') }}
                    ),
                    -{{ var('size_points_most') }}
                )
        end as size_points

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
        + coalesce(size_points, 0),
        2
    ) as notable_score

from scored
