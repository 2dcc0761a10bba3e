with

windows as (

    select * from {{ ref('windows') }}

),

coverage as (

    select * from {{ ref('coverage') }}

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

)

select * from known
