with

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

issues as (

    select * from {{ ref('stg_github__threads') }}

),

issue_events as (

    select * from {{ ref('stg_github__events') }}

),

syncs as (

    select * from {{ source('pipelines', 'syncs') }}

),

tombstones as (

    select * from {{ ref('stg_pipelines__tombstones') }}

),

covered as (

    select
        project,
        max(covered_until) as covered_until

    from coverage

    group by project

),

issues_fetched as (

    select
        repository,
        max(fetched_at) as fetched_until

    from issues

    group by repository

),

events_fetched as (

    select
        repository,
        max(fetched_at) as fetched_until

    from issue_events

    group by repository

),

missed as (

    select
        project,
        max(missing_since_at) as missed_until,
        count(*) as vanished_thread_count

    from tombstones

    where kind = 'thread'

    group by project

),

synced as (

    select
        project,
        arg_max(tool_version, (ended_at, sync_id)) as tool_version

    from syncs

    group by project

),

joined as (

    select
        projects.project,
        greatest(covered.covered_until, missed.missed_until) as known_until,
        greatest(issues_fetched.fetched_until, events_fetched.fetched_until)
            as fetched_until,
        coalesce(missed.vanished_thread_count, 0) as vanished_thread_count,
        synced.tool_version

    from projects

    left join covered
        on projects.project = covered.project

    left join issues_fetched
        on lower(projects.repository) = lower(issues_fetched.repository)

    left join events_fetched
        on lower(projects.repository) = lower(events_fetched.repository)

    left join missed
        on projects.project = missed.project

    left join synced
        on projects.project = synced.project

)

select * from joined
