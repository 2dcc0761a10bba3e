{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

placed as (

    select * from {{ ref('int_threads_placed_in_windows') }}

),

comments as (

    select * from {{ ref('int_comments_placed_in_windows') }}

),

scored as (

    select * from {{ ref('int_threads_scored_for_heat') }}
    {{ of_touched_windows() }}

),

baselined as (

    select * from {{ ref('int_threads_baselined') }}

),

heat_bars as (

    select * from {{ ref('int_heat_bars_set') }}

),

threads as (

    select * from {{ ref('threads') }}

),

counted as (

    select
        window_id,
        thread_id,
        count(*) as comment_count

    from comments

    group by window_id, thread_id

),

named as (

    select
        window_id,
        thread_id

    from placed

    union

    select
        window_id,
        thread_id

    from counted

),

joined as (

    select
        named.window_id,
        named.thread_id,
        threads.number,
        coalesce(counted.comment_count, 0) as comment_count,
        coalesce(scored.human_comment_count, 0) as human_comment_count,
        coalesce(scored.participant_count, 0) as participant_count,
        coalesce(scored.comments_per_hour, 0) as comments_per_hour,
        coalesce(scored.peak_hour_comment_count, 0) as peak_hour_comment_count,
        baselined.baseline_per_day,
        (scored.human_comment_count * 86400 / scored.window_seconds + 1)
        / (baselined.baseline_per_day + 1) as velocity_ratio,
        coalesce(scored.heat_score, 0) as heat_score,
        case
            when scored.heat_score is not null and heat_bars.window_id is not null
                then
                    1
                    + cast(scored.heat_score > heat_bars.bar_50 as integer)
                    + cast(scored.heat_score > heat_bars.bar_75 as integer)
                    + cast(scored.heat_score > heat_bars.bar_90 as integer)
                    + cast(scored.heat_score > heat_bars.bar_97 as integer)
        end as heat_level

    from named

    inner join threads
        on named.thread_id = threads.thread_id

    left join counted
        on
            named.window_id = counted.window_id
            and named.thread_id = counted.thread_id

    left join scored
        on
            named.window_id = scored.window_id
            and named.thread_id = scored.thread_id

    left join baselined
        on
            named.window_id = baselined.window_id
            and named.thread_id = baselined.thread_id

    left join heat_bars
        on named.window_id = heat_bars.window_id

),

ranked as (

    select
        * exclude (number),
        case
            when human_comment_count > 0
                then row_number() over (
                    partition by window_id
                    order by
                        human_comment_count > 0 desc,
                        heat_score desc,
                        human_comment_count desc,
                        participant_count desc,
                        number asc
                )
        end as heat_rank

    from joined

)

select * from ranked
