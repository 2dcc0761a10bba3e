{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

judged as (

    select * from {{ ref('int_comments_judged_as_turning') }}

),

chosen as (

    select *

    from judged

    qualify row_number() over (
        partition by window_id, thread_id
        order by turning_score desc, created_at desc, comment_id asc
    ) <= {{ var('quoted_comments_per_thread') }}

),

placed as (

    select
        window_id,
        thread_id,
        cast(row_number() over (
            partition by window_id, thread_id
            order by created_at, comment_id
        ) as integer) as position,
        comment_id,
        author_login,
        created_at,
        excerpt,
        url,
        reasons

    from chosen

)

select * from placed
