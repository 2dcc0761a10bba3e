with

windows as (

    select * from {{ ref('windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

-- GitHub numbers a repository's threads from 1. The first may be gone before anybody
-- loaded them; where more than a few are missing, they may as well be old and silent.
first_threads as (

    select
        project,
        min(created_at) as created_at

    from threads

    group by project

    having arg_min(number, created_at) <= {{ var('unknown_first_threads') }} + 1

),

traced as (

    select windows.window_id

    from windows

    inner join first_threads
        on windows.project = first_threads.project

    inner join coverage
        on
            windows.project = coverage.project
            and first_threads.created_at >= coverage.covered_from
            and windows.window_end_at <= coverage.covered_until

    where coverage.stream = 'threads'

)

select * from traced
