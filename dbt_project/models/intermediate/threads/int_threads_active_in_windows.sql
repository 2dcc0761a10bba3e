{{ config(materialized='table') }}

with

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

listed as (

    select * from {{ ref('int_threads_listed_in_windows') }}

),

active as (

    select
        thread_windows.window_id,
        thread_windows.thread_id,
        coalesce(listed.listings, []) as listings,
        thread_windows.human_comment_count,
        thread_windows.heat_score

    from thread_windows

    left join listed
        on
            thread_windows.window_id = listed.window_id
            and thread_windows.thread_id = listed.thread_id

    where
        thread_windows.human_comment_count > 0
        or listed.thread_id is not null

)

select * from active
