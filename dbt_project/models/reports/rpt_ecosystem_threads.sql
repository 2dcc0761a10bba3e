{{ config(materialized='incremental') }}

with

scored as (

    select * from {{ ref('int_ecosystem_scores') }}

),

windows as (

    select * from {{ ref('windows') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

links as (

    select * from {{ ref('int_linked_threads') }}

),

excerpts as (

    select * from {{ ref('int_texts_excerpted') }}

),

sized as (

    select * from {{ ref('int_changes_sized') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

notable as (

    select * from {{ ref('rpt_notable_changes') }}

),

watched as (

    select * from {{ ref('rpt_watch_list') }}

),

thread_topics as (

    select * from {{ ref('int_thread_topics') }}

),

topics as (

    select * from {{ ref('topics') }}

),

linked as (

    select
        links.window_id,
        links.thread_id,
        {{ linked_threads_listed('links') }} as linked_threads,
        {{ fixed_issues_listed('links') }} as fixed_issues

    from links

    group by links.window_id, links.thread_id

),

joined as (

    select
        windows.window_id,
        scored.ecosystem,
        scored.thread_id,
        threads.number,
        threads.kind,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        threads.author_login,
        threads.is_bot_author,
        as_of_window_ends.status,
        as_of_window_ends.status_at,
        threads.url,
        scored.score,
        scored.is_author_only,
        scored.evidence,
        thread_windows.listings,
        thread_windows.comment_count,
        thread_windows.human_comment_count,
        thread_windows.heat_score,
        coalesce(linked.linked_threads, []) as linked_threads,
        coalesce(linked.fixed_issues, []) as fixed_issues,
        sized.additions,
        sized.deletions,
        sized.changed_file_count,
        coalesce(sized.areas, []) as areas,
        coalesce(sized.area_count, 0) as area_count,
        excerpts.excerpt,
        hot_threads.heat_rank,
        notable.position as notable_position,
        watched.position as watch_position

    from windows

    inner join thread_windows
        on windows.window_id = thread_windows.window_id

    inner join scored
        on
            thread_windows.thread_id = scored.thread_id
            and windows.window_end_at = scored.as_of_at

    inner join threads
        on thread_windows.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    left join linked
        on
            thread_windows.window_id = linked.window_id
            and thread_windows.thread_id = linked.thread_id

    left join hot_threads
        on
            thread_windows.window_id = hot_threads.window_id
            and thread_windows.thread_id = hot_threads.thread_id

    left join notable
        on
            thread_windows.window_id = notable.window_id
            and thread_windows.thread_id = notable.thread_id
            and notable.is_shown

    left join watched
        on
            thread_windows.window_id = watched.window_id
            and thread_windows.thread_id = watched.thread_id
            and watched.is_shown

    left join sized
        on thread_windows.thread_id = sized.thread_id

    left join excerpts
        on thread_windows.thread_id = excerpts.thread_id

    where
        scored.is_tagged
        and thread_windows.is_active

),

-- A topic that is the ecosystem itself tells its threads apart by nothing.
first_topics as (

    select
        joined.window_id,
        joined.ecosystem,
        joined.thread_id,
        arg_min(thread_topics.topic, thread_topics.position) as topic

    from joined

    inner join thread_topics
        on
            joined.window_id = thread_topics.window_id
            and joined.thread_id = thread_topics.thread_id

    inner join topics
        on
            thread_topics.topic = topics.topic
            and joined.ecosystem is distinct from topics.ecosystem

    group by joined.window_id, joined.ecosystem, joined.thread_id

),

-- What landed comes first, then what began, what was closed, what was only discussed.
ranked as (

    select
        joined.*,
        first_topics.topic,
        row_number() over (
            partition by joined.window_id, joined.ecosystem
            order by
                joined.is_author_only asc,
                list_contains(joined.listings, 'merged_pr') desc,
                list_has_any(joined.listings, ['new_pr', 'new_issue']) desc,
                len(joined.listings) > 0 desc,
                joined.heat_score desc,
                joined.number desc
        ) as thread_rank

    from joined

    left join first_topics
        on
            joined.window_id = first_topics.window_id
            and joined.ecosystem = first_topics.ecosystem
            and joined.thread_id = first_topics.thread_id

),

positioned as (

    select
        window_id,
        ecosystem,
        cast(row_number() over (
            partition by window_id, ecosystem
            order by is_author_only asc, thread_rank asc
        ) as integer) as position,
        thread_id,
        number,
        kind,
        title,
        labels,
        author_login,
        is_bot_author,
        status,
        status_at,
        url,
        score,
        is_author_only,
        evidence,
        listings,
        comment_count,
        human_comment_count,
        linked_threads,
        fixed_issues,
        additions,
        deletions,
        changed_file_count,
        areas,
        area_count,
        excerpt,
        heat_rank,
        notable_position,
        watch_position,
        topic

    from ranked

)

select * from positioned
