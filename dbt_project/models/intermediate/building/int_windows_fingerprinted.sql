{{ config(materialized='table') }}

with

windows as (

    select
        *,
        hash(loaded) as fact

    from (
        select * from {{ ref('windows') }}
    ) as loaded

),

projects as (

    select
        *,
        hash(loaded, len(languages)) as fact

    from (
        select * from {{ ref('stg_pipelines__projects') }}
    ) as loaded

),

threads as (

    select
        *,
        hash(
            thread_id,
            number,
            kind,
            url,
            author_id,
            author_login,
            is_bot_author,
            created_at,
            first_missed_at
        ) as fact

    from {{ ref('threads') }}

),

thread_events as (

    select
        *,
        hash(loaded) as fact

    from (
        select * from {{ ref('thread_events') }}
    ) as loaded

),

placed as (

    select * from {{ ref('int_all_threads_placed') }}

),

placed_comments as (

    select * from {{ ref('int_all_comments_placed') }}

),

comments as (

    select
        thread_id,
        created_at,
        hash(said) as fact

    from (
        select * from {{ ref('comments') }}
    ) as said

),

histories as (

    select * from {{ ref('int_histories_fingerprinted') }}

),

reached_back as (

    select * from {{ ref('int_windows_reached_back') }}

),

traced as (

    select * from {{ ref('int_windows_traced_to_start') }}

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

-- A thread that nobody has loaded is in no history, nor one that came to be after the
-- window's end with comments from before it: a discussion that was made an issue.
unhistoried as (

    select distinct
        placed_comments.window_id,
        placed_comments.window_end_at,
        placed_comments.thread_id

    from placed_comments

    anti join histories
        on
            placed_comments.window_id = histories.window_id
            and placed_comments.thread_id = histories.thread_id

),

facts as (

    select
        windows.window_id,
        hash(
            windows.fact,
            projects.fact,
            reached_back.window_id is not null,
            traced.window_id is not null
        ) as fact

    from windows

    inner join projects
        on windows.project = projects.project

    left join reached_back
        on windows.window_id = reached_back.window_id

    left join traced
        on windows.window_id = traced.window_id

    union all

    select
        window_id,
        hash(placed) as fact

    from placed

    union all

    select
        window_id,
        hash(comment_id, is_bot, author_key, created_at) as fact

    from placed_comments

    union all

    select
        window_id,
        hash(thread_id, fingerprint) as fact

    from histories

    union all

    -- What was said on it before the window is its baseline.
    select
        unhistoried.window_id,
        comments.fact

    from unhistoried

    inner join comments
        on
            unhistoried.thread_id = comments.thread_id
            and unhistoried.window_end_at > comments.created_at

    union all

    select
        unhistoried.window_id,
        threads.fact

    from unhistoried

    inner join threads
        on unhistoried.thread_id = threads.thread_id

    union all

    -- Whether it is its author's first may turn on a thread of any other window.
    select
        placed.window_id,
        hash(placed.thread_id, firsts.first_opened_at) as fact

    from placed

    inner join threads
        on placed.thread_id = threads.thread_id

    inner join firsts
        on
            threads.project = firsts.project
            and threads.kind = firsts.kind
            and threads.author_id = firsts.author_id

    where placed.listing in ('new_issue', 'new_pr')

    union all

    -- A thread may be reopened in a window and do nothing else in it.
    select
        windows.window_id,
        thread_events.fact

    from windows

    inner join thread_events
        on
            windows.project = thread_events.project
            and {{ falls_within('thread_events.occurred_at') }}

    where thread_events.event = 'reopened'

),

summed as (

    select
        window_id,
        sum(fact) as fingerprint

    from facts

    group by window_id

)

select
    windows.window_id,
    windows.project,
    windows.window_kind,
    windows.window_index,
    windows.window_start_at,
    windows.window_end_at,
    summed.fingerprint

from windows

inner join summed
    on windows.window_id = summed.window_id
