with

proposed as (

    select * from {{ ref('int_windows_proposed') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

needed_streams as (

    select * from {{ ref('window_streams') }}

),

threads_known as (

    select
        project,
        max(covered_until) as known_until

    from coverage

    where stream = 'threads'

    group by project

),

-- Events are needed up to now: they say what has become of a window's threads since.
checked as (

    select
        proposed.window_id,
        needed_streams.stream,
        needed_streams.stream_order,
        coverage.covered_from,
        coverage.covered_until,
        coalesce(
            coverage.covered_from <= proposed.window_start_at
            and coverage.covered_until
            >= proposed.window_end_at
            + interval '{{ var("settling_minutes") }} minutes'
            and (
                not needed_streams.is_needed_until_now
                or coverage.covered_until >= threads_known.known_until
            ),
            false
        ) as is_enough

    from proposed

    cross join needed_streams

    left join coverage
        on
            proposed.project = coverage.project
            and needed_streams.stream = coverage.stream

    left join threads_known
        on proposed.project = threads_known.project

    -- Of a stream's intervals the one that serves, else the latest.
    qualify row_number() over (
        partition by proposed.window_id, needed_streams.stream
        order by is_enough desc, coverage.covered_until desc
    ) = 1

)

select * from checked
