{{ config(materialized='incremental') }}

with

watch as (

    select * from {{ ref('int_thread_watch') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

excerpts as (

    select * from {{ ref('int_texts_excerpted') }}

),

links as (

    select * from {{ ref('int_linked_threads') }}

),

-- Waiting, or being without a repair, puts nobody here by itself: that is a backlog. A
-- pull request mostly is the cure of what it speaks of: it needs eyes where it waits.
chosen as (

    select
        *,
        row_number() over (
            partition by window_id
            order by
                severity_rank asc nulls last,
                affected_people_count desc,
                waiting_days desc nulls last,
                number desc
        ) as position

    from watch

    where
        list_has_any(reasons, ['severity', 'affected_people'])
        and (kind = 'issue' or list_contains(reasons, 'waiting'))

),

linked as (

    select
        links.window_id,
        links.thread_id,
        {{ linked_threads_listed('links') }} as linked_threads

    from links

    group by links.window_id, links.thread_id

),

-- The first sentence that says how bad it is.
symptoms as (

    select
        chosen.window_id,
        chosen.thread_id,
        list_filter(
            regexp_extract_all(excerpts.purpose, '.+?([.!?]+( |$)|[。！？]+|$)'),
            lambda sentence: contains(lower(sentence), chosen.severity_matched)  -- noqa: RF02,LT05
        )[1] as sentence

    from chosen

    inner join excerpts
        on chosen.thread_id = excerpts.thread_id

),

joined as (

    select
        chosen.window_id,
        cast(chosen.position as integer) as position,
        chosen.thread_id,
        chosen.number,
        chosen.kind,
        chosen.position <= {{ var('watch_list_count') }} as is_shown,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        threads.author_login,
        threads.is_bot_author,
        as_of_window_ends.status,
        threads.url,
        threads.created_at as opened_at,
        list_transform(
            chosen.reasons,
            lambda reason: {  -- noqa: RF02,LT05
                'reason': reason,  -- noqa: RF02,LT05
                'severity': if(reason = 'severity', chosen.severity, null),  -- noqa: RF02,LT05
                'matched': if(reason = 'severity', chosen.severity_matched, null),  -- noqa: RF02,LT05
                'people_count': if(
                    reason = 'affected_people', chosen.affected_people_count, null  -- noqa: RF02,LT05
                ),
                'days': if(reason = 'waiting', chosen.waiting_days, null)  -- noqa: RF02,LT05
            }
        ) as reasons,
        chosen.severity,
        chosen.severity_matched,
        chosen.severity_signal,
        chosen.affected_people_count,
        chosen.human_comment_count,
        chosen.waiting_since_at,
        chosen.waiting_days,
        chosen.is_unlinked,
        chosen.is_proposal,
        coalesce(linked.linked_threads, []) as linked_threads,
        {{ excerpted('trim(symptoms.sentence)', var('excerpt_characters')) }}
            as symptom,
        excerpts.excerpt

    from chosen

    inner join threads
        on chosen.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            chosen.window_id = as_of_window_ends.window_id
            and chosen.thread_id = as_of_window_ends.thread_id

    left join linked
        on
            chosen.window_id = linked.window_id
            and chosen.thread_id = linked.thread_id

    left join symptoms
        on
            chosen.window_id = symptoms.window_id
            and chosen.thread_id = symptoms.thread_id

    left join excerpts
        on chosen.thread_id = excerpts.thread_id

)

select * from joined
