with

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

window_requests as (

    select * from {{ source('pipelines', 'window_requests') }}

),

window_kinds as (

    select * from {{ ref('window_kinds') }}

),

-- A day more on each side: the windows at the edges are judged by their instants.
spanned as (

    select
        project,
        cast(min(covered_from) as date) - 1 as first_date,
        cast(max(covered_until) as date) + 1 as last_date

    from coverage

    group by project

),

dated as (

    select
        projects.project,
        projects.time_zone,
        projects.window_start_offset,
        window_kinds.window_kind,
        window_kinds.step,
        unnest(generate_series(
            date_trunc(
                window_kinds.truncated_to,
                cast(spanned.first_date as timestamp)
            ),
            cast(spanned.last_date as timestamp),
            window_kinds.step
        )) as local_midnight

    from projects

    inner join spanned
        on projects.project = spanned.project

    cross join window_kinds

),

enumerated as (

    select
        project,
        window_kind,
        cast(local_midnight as date) as window_date,
        timezone(time_zone, local_midnight + window_start_offset) as window_start_at,
        timezone(time_zone, local_midnight + step + window_start_offset)
            as window_end_at

    from dated

),

named as (

    select
        project || ':' || window_kind || ':' || window_date as window_id,
        project,
        window_kind,
        window_date,
        window_start_at,
        window_end_at,
        false as is_requested

    from enumerated

),

-- One grid a project: what was asked for on an earlier grid is no window any more.
requested as (

    select
        window_requests.window_id,
        window_requests.project,
        window_requests.window_kind,
        window_requests.window_date,
        window_requests.window_start_at,
        window_requests.window_end_at,
        true as is_requested

    from window_requests

    left join window_kinds
        on window_requests.window_kind = window_kinds.window_kind

    left join projects
        on window_requests.project = projects.project

    where
        window_kinds.window_kind is null
        or (
            window_requests.window_start_at = timezone(
                projects.time_zone,
                cast(window_requests.window_date as timestamp)
                + projects.window_start_offset
            )
            and window_requests.window_end_at = timezone(
                projects.time_zone,
                cast(window_requests.window_date as timestamp)
                + window_kinds.step
                + projects.window_start_offset
            )
        )

),

stacked as (

    select * from requested

    union all

    select named.*
    from named

    anti join requested
        on named.window_id = requested.window_id

)

select * from stacked
