{{ config(materialized='table') }}

with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

comments as (

    select * from {{ ref('comments') }}

),

texts as (

    select * from {{ ref('int_texts_matched') }}

),

as_of as (

    select distinct
        thread_id,
        as_of_at,
        title,
        labels

    from as_of_window_ends

    where is_active

),

telling_comments as (

    select distinct
        comments.thread_id,
        comments.created_at

    from comments

    semi join texts
        on comments.comment_id = texts.text_id

),

-- Between two comments that tell something, what is told is the same.
told as (

    select
        as_of.*,
        telling_comments.created_at as told_last_at

    from as_of

    asof left join telling_comments
        on
            as_of.thread_id = telling_comments.thread_id
            and as_of.as_of_at > telling_comments.created_at

)

select
    thread_id,
    as_of_at,
    min(as_of_at) over (
        partition by thread_id, title, labels, told_last_at
    ) as version_as_of_at,
    title,
    labels

from told
