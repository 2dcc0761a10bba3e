{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}

),

baselines as (

    select * from {{ ref('int_windows_reached_back') }}

),

listed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

window_comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

threads as (

    select * from {{ ref('threads') }}

),

human_comments as (

    select
        window_comments.window_id,
        window_comments.thread_id,
        window_comments.author_key,
        -- A comment weighs 1 at the window's end and loses half of it in half the
        -- window's length.
        pow(
            2,
            -2 * date_diff('second', window_comments.created_at, windows.window_end_at)
            / date_diff('second', windows.window_start_at, windows.window_end_at)
        ) as weight,
        count(*) over (
            partition by window_comments.window_id, window_comments.thread_id
            order by window_comments.created_at
            range between current row
            and interval '3599999999 microseconds' following
        ) as following_hour_count

    from window_comments

    inner join windows
        on window_comments.window_id = windows.window_id

    where not window_comments.is_bot

),

-- Sums of decimals do not depend on their order: equal scores are ties.
weighed_by_author as (

    select
        window_id,
        thread_id,
        author_key,
        count(*) as comment_count,
        max(following_hour_count) as peak_hour_comment_count,
        cast(sum(cast(weight as decimal(38, 24))) as double) as weight

    from human_comments

    group by window_id, thread_id, author_key

),

scored as (

    select
        window_id,
        thread_id,
        sum(comment_count) as human_comment_count,
        count(*) as participant_count,
        max(peak_hour_comment_count) as peak_hour_comment_count,
        cast(sum(cast(log2(1 + weight) as decimal(38, 24))) as double) as heat_score

    from weighed_by_author

    group by window_id, thread_id

),

counted as (

    select
        window_id,
        thread_id,
        count(comment_id) as comment_count

    from (
        select
            window_id,
            thread_id,
            comment_id
        from window_comments
        union all
        select distinct
            window_id,
            thread_id,
            null as comment_id
        from listed
    ) as active

    group by window_id, thread_id

),

-- Counted by an inner join: an outer one with this condition compares all with all.
said_before as (

    select
        counted.window_id,
        counted.thread_id,
        count(*) as comment_count

    from counted

    inner join baselines
        on counted.window_id = baselines.window_id

    inner join comments
        on
            counted.thread_id = comments.thread_id
            and baselines.baseline_start_at <= comments.created_at
            and baselines.window_start_at > comments.created_at

    where
        not comments.is_bot
        and {{ not_missing_at('baselines.window_start_at', 'comments') }}

    group by counted.window_id, counted.thread_id

),

baselined as (

    select
        counted.window_id,
        counted.thread_id,
        coalesce(said_before.comment_count, 0)
        / greatest(
            1.0,
            date_diff(
                'second',
                greatest(threads.created_at, baselines.baseline_start_at),
                baselines.window_start_at
            ) / 86400.0
        ) as baseline_per_day

    from counted

    inner join baselines
        on counted.window_id = baselines.window_id

    inner join threads
        on counted.thread_id = threads.thread_id

    left join said_before
        on
            counted.window_id = said_before.window_id
            and counted.thread_id = said_before.thread_id

),

joined as (

    select
        counted.window_id,
        counted.thread_id,
        counted.comment_count,
        cast(coalesce(scored.human_comment_count, 0) as bigint) as human_comment_count,
        coalesce(scored.participant_count, 0) as participant_count,
        coalesce(scored.peak_hour_comment_count, 0) as peak_hour_comment_count,
        date_diff('second', windows.window_start_at, windows.window_end_at)
            as window_seconds,
        baselined.baseline_per_day,
        coalesce(scored.heat_score, 0) as heat_score

    from counted

    inner join windows
        on counted.window_id = windows.window_id

    left join scored
        on
            counted.window_id = scored.window_id
            and counted.thread_id = scored.thread_id

    left join baselined
        on
            counted.window_id = baselined.window_id
            and counted.thread_id = baselined.thread_id

)

select
    window_id,
    thread_id,
    comment_count,
    human_comment_count,
    participant_count,
    human_comment_count / (window_seconds / 3600) as comments_per_hour,
    peak_hour_comment_count,
    baseline_per_day,
    (human_comment_count * 86400 / window_seconds + 1) / (baseline_per_day + 1)
        as velocity_ratio,
    heat_score

from joined
