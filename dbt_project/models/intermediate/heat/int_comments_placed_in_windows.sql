{{ config(materialized='table') }}

with

windows as (

    select * from {{ ref('windows') }}

),

comments as (

    select * from {{ ref('comments') }}

),

placed as (

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
            and {{ there_at('windows.window_end_at', 'comments') }}

)

select * from placed
