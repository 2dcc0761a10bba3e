{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

topics as (

    select * from {{ ref('topics') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

told as (

    select * from {{ ref('int_threads_told_by_topic') }}

),

preceded as (

    select * from {{ ref('int_windows_preceded') }}

),

active_counted as (

    select
        window_id,
        count(*) as active_thread_count

    from active

    group by window_id

),

counted as (

    select
        window_id,
        topic,
        count(*) as thread_count

    from told

    group by window_id, topic

    {% if windows_stand() %}
        union all

        -- The windows that stand: what is computed anew is deleted already.
        select
            window_id,
            topic,
            thread_count

        from {{ this }}

        where thread_count > 0
    {% endif %}

),

baselines as (

    select
        window_id,
        count(*) as baseline_window_count

    from preceded

    group by window_id

    having count(*) >= {{ var('fewest_baseline_windows') }}

),

earlier_counted as (

    select
        preceded.window_id,
        counted.topic,
        sum(counted.thread_count) as thread_count

    from preceded

    inner join counted
        on preceded.earlier_window_id = counted.window_id

    group by preceded.window_id, counted.topic

),

joined as (

    select
        windows.window_id,
        topics.topic,
        coalesce(counted.thread_count, 0) as thread_count,
        coalesce(active_counted.active_thread_count, 0) as active_thread_count,
        coalesce(counted.thread_count, 0) / active_counted.active_thread_count
            as thread_share,
        -- A covered window without the topic counts as none, not as unknown.
        case
            when baselines.window_id is not null
                then
                    coalesce(earlier_counted.thread_count, 0)
                    / baselines.baseline_window_count
        end as mean_thread_count

    from windows

    cross join topics

    left join active_counted
        on windows.window_id = active_counted.window_id

    left join counted
        on windows.window_id = counted.window_id and topics.topic = counted.topic

    left join baselines
        on windows.window_id = baselines.window_id

    left join earlier_counted
        on
            windows.window_id = earlier_counted.window_id
            and topics.topic = earlier_counted.topic

),

lifted as (

    select
        *,
        (thread_count + 1) / (mean_thread_count + 1) as lift

    from joined

),

judged as (

    select
        *,
        coalesce(
            thread_count >= {{ var('rising_topic_fewest_threads') }}
            and lift >= {{ var('rising_topic_lift') }},
            false
        ) as is_rising,
        coalesce(
            mean_thread_count >= {{ var('rising_topic_fewest_threads') }}
            and lift <= 1 / {{ var('rising_topic_lift') }},
            false
        ) as is_falling

    from lifted

)

select * from judged
