with

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

titles as (

    select * from {{ ref('int_titles_matched') }}

),

bodies as (

    select * from {{ ref('int_bodies_matched_for_severity') }}

),

severity_words as (

    select * from {{ ref('severity_words') }}

),

open_threads as (

    select
        active.window_id,
        active.thread_id,
        as_of_window_ends.title

    from active

    inner join as_of_window_ends
        on
            active.window_id = as_of_window_ends.window_id
            and active.thread_id = as_of_window_ends.thread_id

    where
        as_of_window_ends.status in ('open', 'draft')
        and (
            active.human_comment_count > 0
            or list_has_any(active.listings, ['new_issue', 'new_pr'])
        )

),

found as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        titles.rule_id,
        titles.matched,
        1.0 as factor

    from open_threads

    inner join titles
        on open_threads.title = titles.title

    where titles.vocabulary = 'severity'

    union all

    select
        open_threads.window_id,
        open_threads.thread_id,
        bodies.rule_id,
        bodies.matched,
        {{ var('severity_body_factor') }} as factor

    from open_threads

    inner join bodies
        on open_threads.thread_id = bodies.thread_id

),

-- The heaviest word of each severity speaks for it.
heaviest as (

    select
        found.window_id,
        found.thread_id,
        severity_words.severity,
        max(severity_words.weight * found.factor) as points,
        arg_max(
            lower(found.matched),
            (severity_words.weight * found.factor, lower(found.matched))
        ) as word

    from found

    inner join severity_words
        on found.rule_id = severity_words.rule_id

    group by found.window_id, found.thread_id, severity_words.severity

),

weighed as (

    select
        *,
        -- The gravest word decides; two mild ones are no crash.
        points * if(
            row_number() over (
                partition by window_id, thread_id
                order by points desc, severity asc
            ) = 1,
            1,
            {{ var('severity_next_factor') }}
        ) as counted_points

    from heaviest

),

summed as (

    select
        window_id,
        thread_id,
        sum(counted_points) as counted_points,
        {{ listed_in_order(
            "{
                'word': word,
                'severity': severity
            }",
            ['-points', 'severity']
        ) }} as severities

    from weighed

    group by window_id, thread_id

),

rated as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        -- The order of adding must not show.
        least(
            round(coalesce(summed.counted_points, 0), 2),
            {{ var('severity_points_most') }}
        ) as severity_points,
        coalesce(summed.severities, []) as severities

    from open_threads

    left join summed
        on
            open_threads.window_id = summed.window_id
            and open_threads.thread_id = summed.thread_id

)

select * from rated
