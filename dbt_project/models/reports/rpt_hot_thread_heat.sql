{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

windows as (

    select * from {{ ref('windows') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}
    {{ of_touched_windows() }}

),

comments as (

    select * from {{ ref('int_comments_placed_in_windows') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

weighed as (

    select
        comments.window_id,
        comments.thread_id,
        comments.author_key,
        count(*) as human_comment_count,
        {{ summed_exactly(weight_of_comment(
                'comments.created_at',
                'windows.window_end_at',
                "date_diff('second', windows.window_start_at, windows.window_end_at)"
            )) }} as weight,
        max(comments.created_at) as last_comment_at

    from comments

    inner join windows
        on comments.window_id = windows.window_id

    semi join hot_threads
        on
            comments.window_id = hot_threads.window_id
            and comments.thread_id = hot_threads.thread_id

    where not comments.is_bot

    group by comments.window_id, comments.thread_id, comments.author_key

),

named as (

    select
        weighed.*,
        coalesce(people.login, 'ghost') as login

    from weighed

    left join people
        on weighed.author_key = cast(people.person_id as varchar)

),

positioned as (

    select
        window_id,
        thread_id,
        cast(row_number() over (
            partition by window_id, thread_id
            order by weight desc, human_comment_count desc, login asc
        ) as integer) as position,
        login,
        human_comment_count,
        weight,
        log2(1 + weight) as heat,
        last_comment_at

    from named

)

select * from positioned
