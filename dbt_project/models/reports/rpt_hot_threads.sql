{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_touched_windows() }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('int_comments_placed_in_windows') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

listed as (

    select * from {{ ref('int_threads_listed_in_windows') }}

),

chosen as (

    select thread_windows.*

    from thread_windows

    -- What came to be after the window's end cannot be shown as of it.
    semi join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    where
        thread_windows.human_comment_count
        >= {{ var('hot_thread_fewest_comments') }}

    qualify row_number() over (
        partition by thread_windows.window_id
        order by thread_windows.heat_rank
    ) <= {{ var('hot_thread_count') }}

),

spoken as (

    select
        comments.window_id,
        comments.thread_id,
        coalesce(any_value(people.login), 'ghost') as login,
        count(*) as human_comment_count

    from comments

    inner join chosen
        on
            comments.window_id = chosen.window_id
            and comments.thread_id = chosen.thread_id

    left join people
        on comments.author_key = cast(people.person_id as varchar)

    where not comments.is_bot

    group by comments.window_id, comments.thread_id, comments.author_key

),

taking_part as (

    select
        window_id,
        thread_id,
        list(
            {
                'login': login,
                'human_comment_count': human_comment_count
            }
            order by human_comment_count desc, login asc
        ) as participants

    from spoken

    group by window_id, thread_id

),

joined as (

    select
        chosen.window_id,
        chosen.heat_rank,
        chosen.thread_id,
        threads.number,
        threads.kind,
        as_of_window_ends.title,
        threads.author_login,
        threads.url,
        as_of_window_ends.status,
        as_of_window_ends.status_at,
        chosen.comment_count,
        chosen.human_comment_count,
        chosen.participant_count,
        chosen.comments_per_hour,
        chosen.comments_per_hour * 24 as comments_per_day,
        chosen.peak_hour_comment_count,
        chosen.baseline_per_day,
        chosen.velocity_ratio,
        chosen.heat_score,
        chosen.heat_level,
        taking_part.participants,
        coalesce(listed.listings, []) as listings

    from chosen

    inner join threads
        on chosen.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            chosen.window_id = as_of_window_ends.window_id
            and chosen.thread_id = as_of_window_ends.thread_id

    inner join taking_part
        on
            chosen.window_id = taking_part.window_id
            and chosen.thread_id = taking_part.thread_id

    left join listed
        on
            chosen.window_id = listed.window_id
            and chosen.thread_id = listed.thread_id

)

select * from joined
