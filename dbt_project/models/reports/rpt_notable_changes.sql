{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

scored as (

    select * from {{ ref('int_changes_scored') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

linked as (

    select * from {{ ref('int_threads_linked_in_windows') }}

),

excerpts as (

    select * from {{ ref('int_threads_excerpted') }}

),

sized as (

    select * from {{ ref('int_changes_sized') }}

),

tied_to_issues as (

    select * from {{ ref('int_changes_tied_to_issues') }}

),

set_apart as (

    select * from {{ ref('int_changes_set_apart') }}

),

ranked as (

    select
        scored.*,
        threads.number,
        threads.author_login,
        threads.is_bot_author,
        threads.url,
        row_number() over (
            partition by scored.window_id
            order by
                scored.notable_score desc,
                scored.is_merged desc,
                scored.human_comment_count desc,
                threads.number desc
        ) as place

    from scored

    inner join threads
        on scored.thread_id = threads.thread_id

    where scored.notable_score >= {{ var('notable_bar') }}

),

joined as (

    select
        ranked.window_id,
        cast(ranked.place as integer) as position,
        ranked.thread_id,
        ranked.number,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        ranked.author_login,
        ranked.is_bot_author,
        as_of_window_ends.status,
        as_of_window_ends.status_at,
        ranked.url,
        ranked.change_kind,
        ranked.change_signal,
        ranked.change_matched,
        ranked.change_weight,
        ranked.is_merged,
        ranked.merged_points,
        ranked.draft_points,
        ranked.human_comment_count,
        ranked.discussion_points,
        ranked.linked_issue_count,
        ranked.link_points,
        ranked.topics,
        ranked.topic_points,
        sized.additions,
        sized.deletions,
        sized.changed_file_count,
        coalesce(sized.areas, []) as areas,
        coalesce(sized.area_count, 0) as area_count,
        ranked.size_points,
        ranked.notable_score,
        active.listings,
        coalesce(linked.linked_threads, []) as linked_threads,
        coalesce(tied_to_issues.fixed_issues, []) as fixed_issues,
        excerpts.excerpt,
        set_apart.change_count,
        set_apart.heat_rank,
        set_apart.fixed_heat_rank,
        set_apart.fixed_hot_number,
        set_apart.line_count,
        set_apart.sized_change_count,
        set_apart.area,
        set_apart.area_change_count,
        set_apart.merge_days,
        set_apart.merge_days_median,
        set_apart.rising_topic,
        set_apart.rising_topic_lift,
        coalesce(set_apart.distinctions, []) as distinctions

    from ranked

    inner join active
        on ranked.window_id = active.window_id and ranked.thread_id = active.thread_id

    inner join as_of_window_ends
        on
            ranked.window_id = as_of_window_ends.window_id
            and ranked.thread_id = as_of_window_ends.thread_id

    left join linked
        on ranked.window_id = linked.window_id and ranked.thread_id = linked.thread_id

    left join set_apart
        on
            ranked.window_id = set_apart.window_id
            and ranked.thread_id = set_apart.thread_id

    left join sized
        on ranked.thread_id = sized.thread_id

    left join tied_to_issues
        on
            ranked.window_id = tied_to_issues.window_id
            and ranked.thread_id = tied_to_issues.thread_id

    left join excerpts
        on ranked.thread_id = excerpts.thread_id

    where ranked.place <= {{ var('notable_change_count') }}

)

select * from joined
