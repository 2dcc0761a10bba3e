{{ config(materialized='table') }}

with

windows as (

    select * from {{ ref('windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

placed as (

    select * from {{ ref('int_threads_placed_in_windows') }}

),

commented as (

    select * from {{ ref('int_comments_placed_in_windows') }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

active as (

    select
        window_id,
        thread_id

    from placed

    union

    select
        window_id,
        thread_id

    from commented

),

-- What an active thread is tied to is told with it, so it is wanted as of then too.
linked as (

    select
        active.window_id,
        thread_links.linked_thread_id as thread_id

    from active

    inner join thread_links
        on active.thread_id = thread_links.thread_id

    union

    select
        active.window_id,
        thread_links.thread_id

    from active

    inner join thread_links
        on active.thread_id = thread_links.linked_thread_id

),

named as (

    select
        window_id,
        thread_id,
        bool_or(is_active) as is_active

    from (
        select
            window_id,
            thread_id,
            true as is_active

        from active

        union all

        select
            window_id,
            thread_id,
            false as is_active

        from linked
    ) as stacked

    group by window_id, thread_id

),

moments as (

    select
        named.window_id,
        named.thread_id,
        named.is_active,
        windows.window_end_at as as_of_at

    from named

    inner join windows
        on named.window_id = windows.window_id

    inner join threads
        on
            named.thread_id = threads.thread_id
            and windows.window_end_at > threads.created_at
            and {{ there_at('windows.window_end_at') }}

),

instants as (

    select distinct
        thread_id,
        as_of_at

    from moments

),

rewound as (
{{ threads_rewound(
    'instants', 'threads', 'thread_states', 'thread_events', 'coverage'
) }}
),

joined as (

    select
        moments.window_id,
        moments.is_active,
        rewound.*,
        case
            when rewound.merged_at is not null then 'merged'
            when rewound.state = 'closed' then 'closed'
            when rewound.is_draft then 'draft'
            else 'open'
        end as status,
        coalesce(rewound.merged_at, rewound.closed_at) as status_at

    from moments

    inner join rewound
        on
            moments.thread_id = rewound.thread_id
            and moments.as_of_at = rewound.as_of_at

)

select * from joined
