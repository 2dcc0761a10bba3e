{{ config(
    materialized='table',
    post_hook="{{ forget_windows_to_build() }}"
) }}

with

windows as (

    select * from {{ ref('windows') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

targeted as (

    select * from {{ source('pipelines', 'targeted_windows') }}

),

standing as (

    select * from {{ source('builds', 'finished_windows') }}

),

settings as (

    select
        project,
        md5(cast(projects as varchar)) as settings_hash

    from projects

),

newest as (

    select
        project,
        max(covered_until) as covered_until

    from coverage

    group by project

),

-- What a window's numbers can rest on: all that was known up to its end.
known as (

    select
        windows.window_id,
        concat_ws(
            ' ',
            coverage.stream,
            coverage.covered_from,
            least(
                coverage.covered_until,
                windows.window_end_at
                + interval '{{ var("settling_minutes") }} minutes'
            )
        ) as fact

    from windows

    inner join coverage
        on
            windows.project = coverage.project
            and windows.window_end_at > coverage.covered_from

    union all

    select
        windows.window_id,
        'targeted ' || targeted.loaded_at as fact

    from windows

    inner join targeted
        on windows.window_id = targeted.window_id

    where windows.completeness = 'targeted'

),

hashed as (

    select
        window_id,
        md5(string_agg(
            fact, ','
            order by fact
        )) as coverage_hash

    from known

    group by window_id

),

decided as (

    select
        windows.window_id,
        windows.window_start_at,
        windows.window_end_at,
        windows.completeness,
        hashed.coverage_hash,
        settings.settings_hash,
        case
            when standing.window_id is null then 'new'
            when
                windows.window_start_at != standing.window_start_at
                or windows.window_end_at != standing.window_end_at
                then 'moved'
            when not windows.is_complete or standing.completeness = 'partial'
                then 'incomplete'
            when
                windows.completeness != standing.completeness
                or (hashed.coverage_hash is distinct from standing.coverage_hash)
                then 'coverage'
            when settings.settings_hash != standing.settings_hash then 'settings'
            when
                windows.window_end_at
                > newest.covered_until - interval '{{ var("late_row_days") }} days'
                then 'recent'
        end as reason

    from windows

    inner join settings
        on windows.project = settings.project

    left join newest
        on windows.project = newest.project

    left join hashed
        on windows.window_id = hashed.window_id

    left join standing
        on windows.window_id = standing.window_id

)

select * from decided
