with

rated as (

    select * from {{ ref('int_threads_rated_for_severity') }}

),

windows as (

    select * from {{ ref('windows') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

tied as (

    select * from {{ ref('int_threads_tied_to_others') }}

),

answered_by_pr as (

    select distinct
        window_id,
        thread_id

    from tied

    where
        kind = 'pr'
        and status in ('open', 'draft', 'merged')

),

parts as (

    select
        rated.window_id,
        rated.thread_id,
        rated.severities,
        -- A pull request about a crash is its cure.
        rated.severity_points
        * if(threads.kind = 'pr', {{ var('severity_pr_factor') }}, 1)
            as severity_points,
        active.human_comment_count,
        active.heat_score,
        coalesce(voiced.reporter_count, 0) as reporter_count,
        voiced.waiting_since_at,
        date_diff('second', voiced.waiting_since_at, windows.window_end_at) / 86400
            as waiting_days,
        threads.kind = 'issue' as is_issue,
        threads.kind = 'issue' and answered_by_pr.thread_id is null as is_unlinked

    from rated

    inner join windows
        on rated.window_id = windows.window_id

    inner join active
        on rated.window_id = active.window_id and rated.thread_id = active.thread_id

    inner join threads
        on rated.thread_id = threads.thread_id

    left join voiced
        on rated.window_id = voiced.window_id and rated.thread_id = voiced.thread_id

    left join answered_by_pr
        on
            rated.window_id = answered_by_pr.window_id
            and rated.thread_id = answered_by_pr.thread_id

),

scored as (

    select
        *,
        least(
            log2(1 + heat_score) * {{ var('heat_factor') }},
            {{ var('heat_points_most') }}
        ) as heat_points,
        -- Who speaks on a pull request reviews it and reports nothing.
        if(
            is_issue,
            least(log2(greatest(reporter_count, 1)), {{ var('reporter_points_most') }}),
            0
        ) as reporter_points,
        least(
            log2(1 + coalesce(waiting_days, 0)) * {{ var('waiting_factor') }},
            {{ var('waiting_points_most') }}
        ) as waiting_points,
        cast(if(is_unlinked, {{ var('unlinked_points') }}, 0) as double)
            as unlinked_points

    from parts

),

summed as (

    select
        * exclude (is_issue),
        -- In hundredths, so that what is equal on paper is equal here.
        round(
            severity_points
            + heat_points
            + reporter_points
            + waiting_points
            + unlinked_points,
            2
        ) as watch_score

    from scored

)

select * from summed
