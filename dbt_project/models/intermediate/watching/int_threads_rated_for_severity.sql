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

rated as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        -- Weights are tenths: the order of adding must not show.
        least(
            round(coalesce(sum(heaviest.points), 0), 2),
            {{ var('severity_points_most') }}
        ) as severity_points,
        coalesce(
            list(
                {
                    'word': heaviest.word,
                    'severity': heaviest.severity
                }
                order by heaviest.points desc, heaviest.severity asc
            ) filter (where heaviest.severity is not null),
            []
        ) as severities

    from open_threads

    left join heaviest
        on
            open_threads.window_id = heaviest.window_id
            and open_threads.thread_id = heaviest.thread_id

    group by open_threads.window_id, open_threads.thread_id

)

select * from rated
