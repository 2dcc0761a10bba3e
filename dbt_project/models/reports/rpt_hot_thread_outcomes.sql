{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

thread_labels as (

    select * from {{ ref('thread_labels') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

computed_windows as (

    select * from windows
    {{ of_windows_to_build() }}

),

hot_before as (

    select
        computed_windows.window_id,
        computed_windows.window_end_at,
        earlier.window_id as earlier_window_id,
        hot_threads.thread_id,
        hot_threads.number,
        hot_threads.kind,
        hot_threads.url,
        hot_threads.heat_rank as heat_rank_before,
        hot_threads.status as status_before,
        hot_threads.human_comment_count as human_comment_count_before

    from computed_windows

    inner join windows as earlier
        on
            computed_windows.project = earlier.project
            and computed_windows.window_kind = earlier.window_kind
            and computed_windows.window_index = earlier.window_index + 1

    inner join hot_threads
        on earlier.window_id = hot_threads.window_id

),

instants as (

    select distinct
        thread_id,
        window_end_at as as_of_at

    from hot_before

),

as_of_window_ends as (
{{ threads_as_of(
    'instants', 'threads', 'thread_states', 'thread_labels', 'thread_events', 'coverage'
) }}
),

joined as (

    select
        hot_before.*,
        as_of_window_ends.title,
        coalesce(as_of_window_ends.merged_at, as_of_window_ends.closed_at)
            as status_at,
        case
            when as_of_window_ends.merged_at is not null then 'merged'
            when as_of_window_ends.state = 'closed' then 'closed'
            when as_of_window_ends.is_draft then 'draft'
            else 'open'
        end as status,
        coalesce(thread_windows.human_comment_count, 0) as human_comment_count,
        thread_windows.heat_rank,
        hot_threads.thread_id is not null as is_hot

    from hot_before

    inner join as_of_window_ends
        on
            hot_before.thread_id = as_of_window_ends.thread_id
            and hot_before.window_end_at = as_of_window_ends.as_of_at

    left join thread_windows
        on
            hot_before.window_id = thread_windows.window_id
            and hot_before.thread_id = thread_windows.thread_id

    left join hot_threads
        on
            hot_before.window_id = hot_threads.window_id
            and hot_before.thread_id = hot_threads.thread_id

)

select
    window_id,
    cast(row_number() over (
        partition by window_id
        order by heat_rank_before
    ) as integer) as position,
    earlier_window_id,
    thread_id,
    number,
    kind,
    title,
    url,
    heat_rank_before,
    human_comment_count_before,
    status_before,
    status,
    status_at,
    human_comment_count,
    heat_rank,
    case
        when status = 'merged' and status_before != 'merged' then 'merged'
        when status = 'closed' and status_before != 'closed' then 'closed'
        when
            status in ('open', 'draft')
            and status_before in ('closed', 'merged')
            then 'reopened'
        when is_hot then 'still_hot'
        when human_comment_count > 0 then 'went_on'
        else 'cooled_off'
    end as outcome

from joined
