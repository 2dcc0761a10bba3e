with

windows as (

    select * from {{ ref('windows') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

scored as (

    select * from {{ ref('int_threads_scored_for_heat') }}

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

reached_back as (

    select
        window_id,
        project,
        window_start_at,
        window_start_at - interval '{{ var("baseline_days") * 24 }} hours'
            as baseline_start_at

    from windows

    where completeness is distinct from 'targeted'

),

-- Both comment streams must know the whole baseline.
known as (

    select
        reached_back.window_id,
        reached_back.window_start_at,
        reached_back.baseline_start_at

    from reached_back

    inner join coverage
        on
            reached_back.project = coverage.project
            and reached_back.baseline_start_at >= coverage.covered_from
            and reached_back.window_start_at <= coverage.covered_until

    where coverage.stream in ('issue_comments', 'review_comments')

    group by
        reached_back.window_id,
        reached_back.window_start_at,
        reached_back.baseline_start_at

    having count(distinct coverage.stream) = 2

),

lived as (

    select
        scored.window_id,
        scored.thread_id,
        known.window_start_at,
        known.baseline_start_at,
        greatest(
            1.0,
            date_diff(
                'second',
                greatest(threads.created_at, known.baseline_start_at),
                known.window_start_at
            ) / 86400.0
        ) as lived_days

    from scored

    inner join known
        on scored.window_id = known.window_id

    inner join threads
        on scored.thread_id = threads.thread_id

),

baselined as (

    select
        lived.window_id,
        lived.thread_id,
        count(comments.comment_id) / any_value(lived.lived_days) as baseline_per_day

    from lived

    left join comments
        on
            lived.thread_id = comments.thread_id
            and lived.baseline_start_at <= comments.created_at
            and lived.window_start_at > comments.created_at
            and not comments.is_bot

    group by lived.window_id, lived.thread_id

)

select * from baselined
