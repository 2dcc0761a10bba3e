{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

tagged as (

    select * from {{ ref('rpt_ecosystem_threads') }}

),

contributors as (

    select * from {{ ref('rpt_ecosystem_contributors') }}

),

topics_by_window as (

    select * from {{ ref('topics_by_window') }}

),

preceded as (

    select * from {{ ref('int_windows_preceded') }}

),

ecosystems as (

    select distinct ecosystem from words

),

active_counted as (

    select distinct
        window_id,
        active_thread_count

    from topics_by_window

),

counted as (

    select
        window_id,
        ecosystem,
        count(*) as thread_count,
        count(*) filter (where is_author_only) as author_only_count,
        count(*) filter (where list_has_any(listings, ['new_issue', 'new_pr']))
            as new_count,
        count(*) filter (where list_contains(listings, 'merged_pr')) as merged_count,
        count(*) filter (
            where list_has_any(listings, ['closed_issue', 'closed_unmerged_pr'])
        ) as closed_count

    from tagged

    group by window_id, ecosystem

),

contributors_counted as (

    select
        window_id,
        ecosystem,
        count(*) as contributor_count

    from contributors

    where is_active

    group by window_id, ecosystem

),

baselines as (

    select
        preceded.window_id,
        ecosystems.ecosystem,
        cast(sum(coalesce(counted.thread_count, 0)) as bigint) as earlier_thread_count,
        cast(sum(active_counted.active_thread_count) as bigint)
            as earlier_active_thread_count

    from preceded

    inner join active_counted
        on preceded.earlier_window_id = active_counted.window_id

    cross join ecosystems

    left join counted
        on
            preceded.earlier_window_id = counted.window_id
            and ecosystems.ecosystem = counted.ecosystem

    group by preceded.window_id, ecosystems.ecosystem

    having count(*) >= {{ var('fewest_baseline_windows') }}

),

joined as (

    select
        windows.window_id,
        ecosystems.ecosystem,
        coalesce(counted.thread_count, 0) as thread_count,
        coalesce(counted.author_only_count, 0) as author_only_count,
        coalesce(active_counted.active_thread_count, 0) as active_thread_count,
        coalesce(counted.new_count, 0) as new_count,
        coalesce(counted.merged_count, 0) as merged_count,
        coalesce(counted.closed_count, 0) as closed_count,
        coalesce(contributors_counted.contributor_count, 0) as contributor_count,
        baselines.earlier_thread_count,
        baselines.earlier_active_thread_count

    from windows

    cross join ecosystems

    left join active_counted
        on windows.window_id = active_counted.window_id

    left join counted
        on
            windows.window_id = counted.window_id
            and ecosystems.ecosystem = counted.ecosystem

    left join contributors_counted
        on
            windows.window_id = contributors_counted.window_id
            and ecosystems.ecosystem = contributors_counted.ecosystem

    left join baselines
        on
            windows.window_id = baselines.window_id
            and ecosystems.ecosystem = baselines.ecosystem

),

compared as (
    {{ share_compared('joined') }}
)

select * from compared
