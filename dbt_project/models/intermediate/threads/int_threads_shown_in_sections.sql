with

windows as (

    select * from {{ ref('windows') }}

),

ecosystem_threads as (

    select * from {{ ref('int_ecosystem_scores') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

changes as (

    select * from {{ ref('int_changes_scored') }}

),

watched as (

    select * from {{ ref('int_threads_scored_for_watching') }}

),

shown as (

    select
        windows.window_id,
        ecosystem_threads.thread_id

    from ecosystem_threads

    inner join windows
        on ecosystem_threads.as_of_at = windows.window_end_at

    semi join active
        on
            windows.window_id = active.window_id
            and ecosystem_threads.thread_id = active.thread_id

    where ecosystem_threads.is_tagged

    union

    select
        window_id,
        thread_id

    from changes

    where notable_score >= {{ var('notable_bar') }}

    union

    select
        window_id,
        thread_id

    from watched

    where watch_score >= {{ var('watch_bar') }}

)

select * from shown
