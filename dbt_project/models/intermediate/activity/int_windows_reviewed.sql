{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

placed as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

threads as (

    select * from {{ ref('threads') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

spoken as (

    select
        placed.window_id,
        comments.author_id as person_id,
        (
            comments.comment_kind = 'review_comment'
            and comments.author_id is distinct from threads.author_id
        ) as is_review

    from placed

    inner join comments
        on placed.comment_id = comments.comment_id

    left join threads
        on placed.thread_id = threads.thread_id

    where
        not placed.is_bot
        and comments.author_id is not null

),

counted as (

    select
        spoken.window_id,
        people.login,
        count(*) as comment_count,
        count(*) filter (where spoken.is_review) as review_comment_count

    from spoken

    inner join people
        on spoken.person_id = people.person_id

    group by spoken.window_id, people.login

),

ranked as (

    select
        *,
        row_number() over (
            partition by window_id
            order by comment_count desc, login asc
        ) as commenter_place,
        row_number() over (
            partition by window_id
            order by review_comment_count desc, login asc
        ) as reviewer_place

    from counted

),

gathered as (

    select
        window_id,
        count(*) filter (where review_comment_count > 0) as reviewer_count,
        list(
            {
                'login': login,
                'count': comment_count
            }
            order by commenter_place
        ) filter (
            where commenter_place <= {{ var('named_people_count') }}
        ) as top_commenters,
        list(
            {
                'login': login,
                'count': review_comment_count
            }
            order by reviewer_place
        ) filter (
            where
            review_comment_count > 0
            and reviewer_place <= {{ var('named_people_count') }}
        ) as top_reviewers

    from ranked

    group by window_id

),

joined as (

    select
        windows.window_id,
        coalesce(gathered.reviewer_count, 0) as reviewer_count,
        coalesce(gathered.top_reviewers, []) as top_reviewers,
        coalesce(gathered.top_commenters, []) as top_commenters

    from windows

    left join gathered
        on windows.window_id = gathered.window_id

)

select * from joined
