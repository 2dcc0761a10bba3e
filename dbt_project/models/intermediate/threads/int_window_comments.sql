{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

written as (

    select
        windows.window_id,
        windows.window_end_at,
        comments.thread_id,
        comments.comment_id,
        comments.is_bot,
        comments.created_at,
        -- All who have no account are one.
        coalesce(cast(comments.author_id as varchar), 'ghost') as author_key

    from windows

    inner join comments
        on
            windows.project = comments.project
            and {{ falls_within('comments.created_at') }}
            and comments.thread_id is not null
            and {{ not_missing_at('windows.window_end_at', 'comments') }}

)

select * from written
