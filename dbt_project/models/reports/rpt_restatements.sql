with

explained as (

    select * from {{ ref('int_listings_explained') }}

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

-- A count moved for the reason of what appeared and left, if that is one.
reasons_shared as (

    select
        window_id,
        version,
        listing,
        case when count(distinct reason) = 1 then any_value(reason) else 'several' end
            as reason

    from explained

    where change in ('appeared', 'left')

    group by window_id, version, listing

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
        coalesce(reasons_shared.reason, 'unexplained') as reason,
        counts_changed.published_at,
        counts_changed.restated_at

    from counts_changed

    left join reasons_shared
        on
            counts_changed.window_id = reasons_shared.window_id
            and counts_changed.version = reasons_shared.version
            and counts_changed.listing = reasons_shared.listing

    union all

    select
        window_id,
        version,
        listing as what,
        listing,
        change,
        thread_id,
        url,
        from_value,
        to_value,
        reason,
        published_at,
        restated_at

    from explained

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
        stacked.reason,
        stacked.published_at,
        stacked.restated_at

    from stacked

    inner join windows
        on stacked.window_id = windows.window_id

)

select * from named
