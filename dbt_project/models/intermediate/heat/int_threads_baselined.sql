with

known as (

    select * from {{ ref('int_windows_reached_back') }}

),

scored as (

    select * from {{ ref('int_threads_scored_for_heat') }}
    {{ of_touched_windows() }}

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

lived as (

    select
        scored.window_id,
        scored.thread_id,
        known.window_start_at,
        known.baseline_start_at,
        greatest(
            1.0,
            date_diff(
                'second',
                greatest(threads.created_at, known.baseline_start_at),
                known.window_start_at
            ) / 86400.0
        ) as lived_days

    from scored

    inner join known
        on scored.window_id = known.window_id

    inner join threads
        on scored.thread_id = threads.thread_id

),

baselined as (

    select
        lived.window_id,
        lived.thread_id,
        count(comments.comment_id) / any_value(lived.lived_days) as baseline_per_day

    from lived

    left join comments
        on
            lived.thread_id = comments.thread_id
            and lived.baseline_start_at <= comments.created_at
            and lived.window_start_at > comments.created_at
            and not comments.is_bot

    group by lived.window_id, lived.thread_id

)

select * from baselined
