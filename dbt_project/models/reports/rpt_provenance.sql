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

needed_streams as (

    select * from {{ ref('window_streams') }}

),

window_streams as (

    select * from {{ ref('int_window_streams_checked') }}

),

quarantine as (

    select * from {{ source('pipelines', 'quarantine') }}

),

targeted as (

    select * from {{ source('pipelines', 'targeted_windows') }}

),

quarantined as (

    select
        project,
        count(*) as quarantined_row_count

    from quarantine

    group by project

),

streams_known as (

    select
        coverage.project,
        coverage.stream,
        max(coverage.covered_until) as covered_until

    from coverage

    inner join needed_streams
        on coverage.stream = needed_streams.stream

    group by coverage.project, coverage.stream

),

-- All of it is known up to the end of the stream that ends first.
known as (

    select
        project,
        min(covered_until) as data_as_of_at

    from streams_known

    group by project

),

streams_listed as (

    select
        window_id,
        list(
            {
                'stream': stream,
                'covered_from': covered_from,
                'covered_until': covered_until,
                'is_enough': is_enough
            }
            order by stream_order
        ) as streams

    from window_streams

    group by window_id

),

preceded as (

    select
        windows.window_id,
        count(*) as baseline_window_count

    from windows

    inner join windows as earlier
        on {{ precedes('earlier', 'windows') }}

    where
        earlier.is_complete
        and {{ baselined_windows() }}

    group by windows.window_id

),

joined as (

    select
        windows.window_id,
        windows.project,
        projects.project_title,
        projects.repository,
        projects.time_zone,
        windows.window_kind,
        windows.window_date,
        windows.window_start_at,
        windows.window_end_at,
        windows.is_complete,
        windows.completeness,
        case windows.completeness
            when 'targeted' then targeted.loaded_at
            else known.data_as_of_at
        end as data_as_of_at,
        projects.is_synthetic,
        projects.spotlight_ecosystem,
        projects.languages,
        cast(coalesce(preceded.baseline_window_count, 0) as integer)
            as baseline_window_count,
        coalesce(quarantined.quarantined_row_count, 0) as quarantined_row_count,
        streams_listed.streams

    from windows

    inner join projects
        on windows.project = projects.project

    inner join streams_listed
        on windows.window_id = streams_listed.window_id

    left join targeted
        on windows.window_id = targeted.window_id

    left join known
        on windows.project = known.project

    left join quarantined
        on windows.project = quarantined.project

    left join preceded
        on windows.window_id = preceded.window_id

)

select * from joined
