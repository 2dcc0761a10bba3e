with

scored as (

    select * from {{ ref('int_changes_scored') }}

),

placed as (

    select * from {{ ref('int_threads_placed_in_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

sized as (

    select * from {{ ref('int_changes_sized') }}

),

answered as (

    select * from {{ ref('int_windows_answered') }}

),

peopled as (

    select * from {{ ref('int_windows_peopled') }}

),

tied as (

    select * from {{ ref('int_threads_tied_to_others') }}

),

topics as (

    select * from {{ ref('rpt_topics') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

measured as (

    select
        scored.window_id,
        scored.thread_id,
        scored.human_comment_count,
        scored.topics,
        threads.author_login,
        sized.areas[1] as area,
        sized.additions + sized.deletions as line_count,
        date_diff('second', threads.created_at, placed.event_at) / 3600 as merge_hours

    from scored

    inner join threads
        on scored.thread_id = threads.thread_id

    left join placed
        on
            scored.window_id = placed.window_id
            and scored.thread_id = placed.thread_id
            and placed.listing = 'merged_pr'

    left join sized
        on scored.thread_id = sized.thread_id

),

-- The first of equals is no first.
ranked as (

    select
        *,
        count(*) over of_window as change_count,
        count(line_count) over of_window as sized_change_count,
        count(line_count) over of_area as area_change_count,
        rank() over (
            partition by window_id
            order by human_comment_count desc
        ) = 1
        and count(*) over (partition by window_id, human_comment_count) = 1
            as is_most_discussed,
        rank() over (
            partition by window_id
            order by line_count desc nulls last
        ) = 1
        and count(*) over (partition by window_id, line_count) = 1
            as is_largest,
        rank() over (
            partition by window_id, area
            order by line_count desc nulls last
        ) = 1
        and count(*) over (partition by window_id, area, line_count) = 1
            as is_largest_in_area

    from measured

    window
        of_window as (partition by window_id),
        of_area as (partition by window_id, area)

),

fixed_hot as (

    select
        tied.window_id,
        tied.thread_id,
        min(hot_threads.heat_rank) as fixed_heat_rank,
        arg_min(hot_threads.number, hot_threads.heat_rank) as fixed_hot_number

    from tied

    inner join hot_threads
        on
            tied.window_id = hot_threads.window_id
            and tied.linked_thread_id = hot_threads.thread_id

    where tied.relation = 'fixes' and tied.kind = 'issue'

    group by tied.window_id, tied.thread_id

),

told_by_topic as (

    select
        window_id,
        thread_id,
        unnest(topics) as topic

    from scored

),

risen as (

    select
        told_by_topic.window_id,
        told_by_topic.thread_id,
        arg_min(topics.topic, topics.position) as rising_topic,
        arg_min(topics.lift, topics.position) as rising_topic_lift

    from told_by_topic

    inner join topics
        on
            told_by_topic.window_id = topics.window_id
            and told_by_topic.topic = topics.topic

    where
        topics.is_rising
        and topics.position <= {{ var('rising_topics_told') }}

    group by told_by_topic.window_id, told_by_topic.thread_id

),

joined as (

    select
        ranked.window_id,
        ranked.thread_id,
        ranked.human_comment_count,
        ranked.change_count,
        ranked.sized_change_count,
        ranked.area,
        ranked.area_change_count,
        ranked.line_count,
        ranked.merge_hours,
        answered.merge_hours_median,
        hot_threads.heat_rank,
        fixed_hot.fixed_heat_rank,
        fixed_hot.fixed_hot_number,
        risen.rising_topic,
        risen.rising_topic_lift,
        ranked.is_most_discussed
        and ranked.human_comment_count >= {{ var('hot_thread_fewest_comments') }}
        and ranked.change_count >= {{ var('fewest_compared_changes') }}
            as is_most_discussed,
        ranked.line_count is not null
        and ranked.is_largest
        and ranked.sized_change_count >= {{ var('fewest_compared_changes') }}
            as is_largest,
        ranked.line_count is not null
        and ranked.is_largest_in_area
        and ranked.area_change_count >= {{ var('fewest_compared_changes') }}
            as is_largest_in_area,
        coalesce(
            answered.merge_count >= {{ var('fewest_compared_changes') }}
            and ranked.merge_hours >= {{ var('long_open_hours') }}
            and ranked.merge_hours
            >= answered.merge_hours_median * {{ var('long_open_ratio') }},
            false
        ) as is_long_open,
        coalesce(list_contains(peopled.first_timers, ranked.author_login), false)
            as is_by_first_timer

    from ranked

    left join answered
        on ranked.window_id = answered.window_id

    left join peopled
        on ranked.window_id = peopled.window_id

    left join hot_threads
        on
            ranked.window_id = hot_threads.window_id
            and ranked.thread_id = hot_threads.thread_id

    left join fixed_hot
        on
            ranked.window_id = fixed_hot.window_id
            and ranked.thread_id = fixed_hot.thread_id

    left join risen
        on
            ranked.window_id = risen.window_id
            and ranked.thread_id = risen.thread_id

)

select
    window_id,
    thread_id,
    change_count,
    heat_rank,
    fixed_heat_rank,
    fixed_hot_number,
    line_count,
    sized_change_count,
    area,
    area_change_count,
    merge_hours / 24 as merge_days,
    merge_hours_median / 24 as merge_days_median,
    rising_topic,
    rising_topic_lift,
    list_filter(
        [
            if(fixed_heat_rank is not null, 'fixes_hot_issue', null),
            if(heat_rank is not null, 'hot', null),
            if(is_most_discussed, 'most_discussed', null),
            if(is_largest, 'largest', null),
            if(is_largest_in_area and not is_largest, 'largest_in_area', null),
            if(is_long_open, 'long_open', null),
            if(rising_topic is not null, 'rising_topic', null),
            if(is_by_first_timer, 'first_timer', null)
        ],
        lambda one: one is not null
    ) as distinctions

from joined
