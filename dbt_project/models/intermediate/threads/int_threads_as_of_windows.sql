{{ config(materialized='incremental') }}

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

thread_labels as (

    select * from {{ ref('thread_labels') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

placed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

commented as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

listed_or_commented as (

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

active as (

    select
        listed_or_commented.window_id,
        listed_or_commented.thread_id,
        windows.window_end_at as as_of_at

    from listed_or_commented

    inner join windows
        on listed_or_commented.window_id = windows.window_id

),

-- What an active thread is tied to is told with it, so it is wanted as of then too.
linked as (

    select
        active.window_id,
        thread_links.linked_thread_id as thread_id,
        active.as_of_at

    from active

    inner join thread_links
        on active.thread_id = thread_links.thread_id

    union

    select
        active.window_id,
        thread_links.thread_id,
        active.as_of_at

    from active

    inner join thread_links
        on active.thread_id = thread_links.linked_thread_id

),

-- The instant is carried along: to look it up beside the threads' own would be to
-- compare all windows with all threads.
named as (

    select
        window_id,
        thread_id,
        any_value(as_of_at) as as_of_at,
        bool_or(is_active) as is_active

    from (
        select
            *,
            true as is_active

        from active

        union all

        select
            *,
            false as is_active

        from linked
    ) as stacked

    group by window_id, thread_id

),

moments as (

    select named.*

    from named

    inner join threads
        on
            named.thread_id = threads.thread_id
            and named.as_of_at > threads.created_at
            and {{ not_missing_at('named.as_of_at') }}

),

instants as (

    select distinct
        thread_id,
        as_of_at

    from moments

),

rewound as (
{{ threads_as_of(
    'instants', 'threads', 'thread_states', 'thread_labels', 'thread_events', 'coverage'
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
