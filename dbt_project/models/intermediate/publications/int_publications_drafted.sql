{{ config(materialized='table') }}

with

windows as (

    select * from {{ ref('windows') }}

),

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

provenance as (

    select * from {{ ref('rpt_provenance') }}

),

published_counts as (

    select * from {{ source('pipelines', 'published_counts') }}

),

published_listings as (

    select * from {{ source('pipelines', 'published_listings') }}

),

projects_loaded as (

    select * from {{ ref('int_projects_loaded') }}

),

last_published as (

    select *

    from published_counts

    qualify version = max(version) over (partition by window_id)

),

known as (

    select
        windows.window_id,
        last_published.version

    from windows

    inner join last_published
        on windows.window_id = last_published.window_id

    where windows.is_complete

),

shown as (

    select listed_threads.*

    from listed_threads

    inner join known
        on listed_threads.window_id = known.window_id

),

kept as (

    select published_listings.*

    from published_listings

    inner join known
        on
            published_listings.window_id = known.window_id
            and published_listings.version = known.version

),

-- What was current and is told by events now has become a claim: it is kept anew.
lists_changed as (

    select distinct coalesce(shown.window_id, kept.window_id) as window_id

    from shown

    full join kept
        on
            shown.window_id = kept.window_id
            and shown.listing = kept.listing
            and shown.thread_id = kept.thread_id

    where
        shown.thread_id is null
        or kept.thread_id is null
        or shown.event_at != kept.event_at
        or (
            shown.as_of_basis = 'events'
            and (
                kept.as_of_basis != 'events'
                or shown.title != kept.title
                or shown.is_draft != kept.is_draft
                or list_sort(shown.labels) != list_sort(kept.labels)
            )
        )

),

joined as (

    select
        windows.window_id,
        cast(coalesce(last_published.version, 0) + 1 as integer) as version,
        windows.project,
        windows.completeness,
        windows.window_start_at,
        windows.window_end_at,
        greatest(provenance.data_as_of_at, projects_loaded.known_until) as published_at,
        projects_loaded.fetched_until,
        projects_loaded.vanished_thread_count,
        projects_loaded.tool_version,
        headline_counts.new_issue_count,
        headline_counts.closed_issue_count,
        headline_counts.new_pr_count,
        headline_counts.merged_pr_count,
        headline_counts.closed_unmerged_pr_count,
        {{ rules_of_this_build() }} as rules

    from windows

    inner join headline_counts
        on windows.window_id = headline_counts.window_id

    inner join provenance
        on windows.window_id = provenance.window_id

    inner join projects_loaded
        on windows.project = projects_loaded.project

    left join last_published
        on windows.window_id = last_published.window_id

    left join lists_changed
        on windows.window_id = lists_changed.window_id

    where
        windows.is_complete
        and (
            last_published.window_id is null
            or lists_changed.window_id is not null
            or windows.completeness != last_published.completeness
            or windows.window_start_at != last_published.window_start_at
            or windows.window_end_at != last_published.window_end_at
        )

)

select * from joined
