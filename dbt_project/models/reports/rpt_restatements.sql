with

restated as (

    select * from {{ ref('int_listings_restated') }}

),

threads as (

    select * from {{ ref('threads') }}

),

compared as (

    select * from {{ ref('int_publications_compared') }}

),

published_counts as (

    select * from {{ source('pipelines', 'published_counts') }}

),

drafted as (

    select * from {{ ref('int_publications_drafted') }}

),

windows as (

    select * from {{ ref('windows') }}

),

counts_stacked as (

    select
        window_id,
        version,
        new_issue_count,
        closed_issue_count,
        new_pr_count,
        merged_pr_count,
        closed_unmerged_pr_count

    from published_counts

    union all

    select
        window_id,
        version,
        new_issue_count,
        closed_issue_count,
        new_pr_count,
        merged_pr_count,
        closed_unmerged_pr_count

    from drafted

),

counted as (

    unpivot counts_stacked
    on
    new_issue_count,
    closed_issue_count,
    new_pr_count,
    merged_pr_count,
    closed_unmerged_pr_count
    into
    name what
    value thread_count

),

counts_changed as (

    select
        compared.window_id,
        compared.version,
        compared.published_at,
        compared.restated_at,
        counted.what,
        replace(counted.what, '_count', '') as listing,
        before.thread_count as thread_count_before,
        counted.thread_count

    from compared

    inner join counted
        on
            compared.window_id = counted.window_id
            and compared.version = counted.version

    inner join counted as before
        on
            counted.window_id = before.window_id
            and counted.version = before.version + 1
            and counted.what = before.what

    where counted.thread_count != before.thread_count

),

stacked as (

    select
        counts_changed.window_id,
        counts_changed.version,
        counts_changed.what,
        counts_changed.listing,
        'counted' as change,
        cast(null as varchar) as thread_id,
        cast(null as varchar) as url,
        cast(counts_changed.thread_count_before as varchar) as from_value,
        cast(counts_changed.thread_count as varchar) as to_value,
        counts_changed.published_at,
        counts_changed.restated_at

    from counts_changed

    union all

    select
        restated.window_id,
        restated.version,
        restated.listing as what,
        restated.listing,
        restated.change,
        restated.thread_id,
        threads.url,
        restated.from_value,
        restated.to_value,
        compared.published_at,
        compared.restated_at

    from restated

    inner join compared
        on
            restated.window_id = compared.window_id
            and restated.version = compared.version

    left join threads
        on restated.thread_id = threads.thread_id

),

named as (

    select
        concat_ws(
            '/',
            stacked.window_id || '@' || stacked.version,
            stacked.what,
            stacked.thread_id,
            stacked.change
        ) as restatement_id,
        stacked.window_id,
        stacked.version,
        stacked.what,
        stacked.listing,
        stacked.change,
        stacked.thread_id,
        cast(string_split(stacked.thread_id, '#')[-1] as bigint) as number,
        stacked.url,
        stacked.from_value,
        stacked.to_value,
        stacked.published_at,
        stacked.restated_at

    from stacked

    inner join windows
        on stacked.window_id = windows.window_id

)

select * from named
