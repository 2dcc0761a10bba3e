{#
    One row per window and comment written in it. `windows` needs window_id, project,
    window_start_at and window_end_at.
#}
{% macro comments_placed(windows, comments) %}
    select
        windows.window_id,
        windows.window_end_at,
        comments.thread_id,
        comments.comment_id,
        comments.is_bot,
        comments.created_at,
        -- All who have no account are one.
        coalesce(cast(comments.author_id as varchar), 'ghost') as author_key

    from {{ windows }} as windows

    inner join {{ comments }} as comments
        on
            windows.project = comments.project
            and {{ falls_within('comments.created_at') }}
            and comments.thread_id is not null
            and {{ there_at('windows.window_end_at', 'comments') }}
{% endmacro %}
