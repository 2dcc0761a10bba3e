{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

topics as (

    select * from {{ ref('topics') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

thread_topics as (

    select * from {{ ref('int_thread_topics') }}

),

preceded as (

    select * from {{ ref('int_windows_preceded') }}

),

active_counted as (

    select
        window_id,
        count(*) as active_thread_count

    from thread_windows

    where is_active

    group by window_id

),

topics_counted as (

    select
        window_id,
        topic,
        count(*) as thread_count

    from thread_topics

    group by window_id, topic

),

counted as (

    select
        windows.window_id,
        topics.topic,
        coalesce(topics_counted.thread_count, 0) as thread_count,
        coalesce(active_counted.active_thread_count, 0) as active_thread_count

    from windows

    cross join topics

    left join active_counted
        on windows.window_id = active_counted.window_id

    left join topics_counted
        on
            windows.window_id = topics_counted.window_id
            and topics.topic = topics_counted.topic

    {% if rests_on_earlier() %}
        union all

        -- The windows that stand: what is computed anew is deleted already.
        select
            window_id,
            topic,
            thread_count,
            active_thread_count

        from {{ this }}
    {% endif %}

),

-- A covered window without the topic counts with none of its threads.
baselines as (

    select
        preceded.window_id,
        counted.topic,
        cast(sum(counted.thread_count) as bigint) as earlier_thread_count,
        cast(sum(counted.active_thread_count) as bigint)
            as earlier_active_thread_count

    from preceded

    inner join counted
        on preceded.earlier_window_id = counted.window_id

    group by preceded.window_id, counted.topic

    having count(*) >= {{ var('fewest_baseline_windows') }}

),

joined as (

    select
        counted.window_id,
        counted.topic,
        counted.thread_count,
        counted.active_thread_count,
        baselines.earlier_thread_count,
        baselines.earlier_active_thread_count

    from counted

    inner join windows
        on counted.window_id = windows.window_id

    left join baselines
        on
            counted.window_id = baselines.window_id
            and counted.topic = baselines.topic

),

compared as (
    {{ share_compared('joined') }}
)

select * from compared
