with

windows as (

    select * from {{ ref('windows') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

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

to_build as (

    select * from windows
    {{ of_windows_to_build() }}

),

followed as (

    select
        windows.window_id,
        windows.window_end_at,
        hot_threads.thread_id,
        earlier.window_id as earlier_window_id,
        hot_threads.heat_rank as heat_rank_before,
        hot_threads.status as status_before,
        hot_threads.human_comment_count as human_comment_count_before

    from to_build as windows

    inner join windows as earlier
        on
            windows.project = earlier.project
            and windows.window_kind = earlier.window_kind
            and windows.window_index = earlier.window_index + 1

    inner join hot_threads
        on earlier.window_id = hot_threads.window_id

),

moments as (

    select distinct
        thread_id,
        window_end_at as as_of_at

    from followed

),

rewound as (
{{ threads_rewound(
    'moments', 'threads', 'thread_states', 'thread_events', 'coverage'
) }}
),

joined as (

    select
        followed.*,
        rewound.title,
        rewound.state,
        rewound.is_draft,
        rewound.closed_at,
        rewound.merged_at

    from followed

    inner join rewound
        on
            followed.thread_id = rewound.thread_id
            and followed.window_end_at = rewound.as_of_at

)

select * from joined
