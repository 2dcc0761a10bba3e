{{ config(materialized='table') }}

with

tied_in_windows as (

    select * from {{ ref('int_threads_tied_in_windows') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

tied as (

    select
        tied_in_windows.window_id,
        tied_in_windows.thread_id,
        tied_in_windows.linked_thread_id,
        tied_in_windows.relation,
        linked_then.status,
        threads.kind,
        threads.merged_at,
        coalesce(voiced.reporter_count, 0) as reporter_count

    from tied_in_windows

    -- Not there yet at the window's end: nothing is known of it then.
    inner join as_of_window_ends as linked_then
        on
            tied_in_windows.window_id = linked_then.window_id
            and tied_in_windows.linked_thread_id = linked_then.thread_id

    inner join threads
        on tied_in_windows.linked_thread_id = threads.thread_id

    left join voiced
        on
            tied_in_windows.window_id = voiced.window_id
            and tied_in_windows.linked_thread_id = voiced.thread_id

)

select * from tied
