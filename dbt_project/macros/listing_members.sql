{#
    One row per window, listing and thread in it: the five listings as of each window's
    end. `windows` needs window_id, project, window_start_at and window_end_at. The same
    text serves the report's windows and `marts.listed_threads`, so they cannot differ.
#}
{% macro listing_members(windows, threads, thread_states) %}
    select
        windows.window_id,
        case threads.kind when 'pr' then 'new_pr' else 'new_issue' end as listing,
        threads.thread_id,
        threads.created_at as event_at

    from {{ windows }} as windows

    inner join {{ threads }} as threads
        on
            windows.project = threads.project
            and {{ falls_within('threads.created_at') }}
            and {{ not_missing_at('windows.window_end_at') }}

    union all

    select
        windows.window_id,
        'merged_pr' as listing,
        threads.thread_id,
        threads.merged_at as event_at

    from {{ windows }} as windows

    inner join {{ threads }} as threads
        on
            windows.project = threads.project
            and {{ falls_within('threads.merged_at') }}
            and {{ not_missing_at('windows.window_end_at') }}

    union all

    -- The close that holds at the window's end: nothing followed it before that instant.
    select
        windows.window_id,
        case threads.kind when 'pr' then 'closed_unmerged_pr' else 'closed_issue' end
            as listing,
        threads.thread_id,
        thread_states.started_at as event_at

    from {{ windows }} as windows

    inner join {{ thread_states }} as thread_states
        on
            {{ falls_within('thread_states.started_at') }}
            and coalesce(
                thread_states.ended_at >= windows.window_end_at,
                true
            )

    inner join {{ threads }} as threads
        on
            windows.project = threads.project
            and thread_states.thread_id = threads.thread_id

    where
        thread_states.state = 'closed'
        and thread_states.basis != 'inferred'
        and coalesce(threads.merged_at >= windows.window_end_at, true)
{% endmacro %}
