{{ config(materialized='incremental') }}

with

topics_by_window as (

    select * from {{ ref('topics_by_window') }}
    {{ of_windows_to_build() }}

),

topics as (

    select * from {{ ref('topics') }}

),

thread_topics as (

    select * from {{ ref('int_thread_topics') }}

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

placed as (

    select
        thread_topics.window_id,
        thread_topics.topic,
        thread_topics.thread_id,
        row_number() over (
            partition by thread_topics.window_id, thread_topics.topic
            order by
                thread_windows.human_comment_count desc,
                thread_windows.heat_score desc,
                threads.number desc
        ) as place

    from thread_topics

    inner join thread_windows
        on
            thread_topics.window_id = thread_windows.window_id
            and thread_topics.thread_id = thread_windows.thread_id

    inner join threads
        on thread_topics.thread_id = threads.thread_id

    qualify place <= {{ var('cited_threads_per_topic') }}

),

discussed as (

    select
        placed.window_id,
        placed.topic,
        placed.thread_id,
        threads.number,
        threads.kind,
        as_of_window_ends.title,
        threads.url,
        as_of_window_ends.status,
        placed.place

    from placed

    inner join as_of_window_ends
        on
            placed.window_id = as_of_window_ends.window_id
            and placed.thread_id = as_of_window_ends.thread_id

    inner join threads
        on placed.thread_id = threads.thread_id

),

cited as (

    select
        window_id,
        topic,
        list(
            {
                'thread_id': thread_id,
                'number': number,
                'kind': kind,
                'title': title,
                'url': url,
                'status': status
            }
            order by place
        ) as threads

    from discussed

    group by window_id, topic

),

joined as (

    select
        topics_by_window.window_id,
        -- What rises most, then what is only busy, and what falls most last.
        cast(row_number() over (
            partition by topics_by_window.window_id
            order by
                topics_by_window.is_rising desc,
                topics_by_window.is_falling asc,
                case when topics_by_window.is_rising then -topics_by_window.lift end,
                case when topics_by_window.is_falling then -topics_by_window.lift end,
                topics_by_window.thread_count desc,
                topics_by_window.topic asc
        ) as integer) as position,
        topics_by_window.topic,
        topics.title_en,
        topics.title_zh,
        topics_by_window.thread_count,
        topics_by_window.active_thread_count,
        topics_by_window.share,
        topics_by_window.usual_share,
        topics_by_window.expected_thread_count,
        topics_by_window.lift,
        topics_by_window.is_rising,
        topics_by_window.is_falling,
        coalesce(cited.threads, []) as threads

    from topics_by_window

    inner join topics
        on topics_by_window.topic = topics.topic

    left join cited
        on
            topics_by_window.window_id = cited.window_id
            and topics_by_window.topic = cited.topic

    where
        topics_by_window.thread_count > 0
        or topics_by_window.is_falling

)

select * from joined
