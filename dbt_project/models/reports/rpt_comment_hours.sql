{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

zoned as (

    select
        windows.window_id,
        windows.window_start_at,
        windows.window_end_at,
        projects.time_zone

    from windows

    inner join projects
        on windows.project = projects.project

),

-- Hours of true length, and for what is longer than two days the project's own days.
parted as (

    select
        window_id,
        window_end_at,
        unnest(
            case
                when window_end_at <= window_start_at + interval '48 hours'
                    then generate_series(
                        window_start_at,
                        window_end_at - interval '1 second',
                        interval '1 hour'
                    )
                else list_transform(
                    generate_series(
                        timezone(time_zone, window_start_at),
                        timezone(time_zone, window_end_at) - interval '1 second',
                        interval '1 day'
                    ),
                    lambda local_start: timezone(time_zone, local_start)
                )
            end
        ) as bucket_start_at

    from zoned

),

bounded as (

    select
        window_id,
        cast(row_number() over (
            partition by window_id
            order by bucket_start_at
        ) as integer) as position,
        bucket_start_at,
        lead(bucket_start_at, 1, window_end_at) over (
            partition by window_id
            order by bucket_start_at
        ) as bucket_end_at

    from parted

),

counted as (

    select
        bounded.window_id,
        bounded.position,
        bounded.bucket_start_at,
        date_diff('second', bounded.bucket_start_at, bounded.bucket_end_at) / 3600
            as bucket_hours,
        count(comments.comment_id) filter (where not comments.is_bot)
            as human_comment_count,
        count(comments.comment_id) filter (where comments.is_bot) as bot_comment_count

    from bounded

    left join comments
        on
            bounded.window_id = comments.window_id
            and bounded.bucket_start_at <= comments.created_at
            and bounded.bucket_end_at > comments.created_at

    group by
        bounded.window_id,
        bounded.position,
        bounded.bucket_start_at,
        bounded.bucket_end_at

)

select * from counted
