/*
A row is a listing of a published version that is not the one before it, less the
threads that left it and with those that appeared: its lists and counts would have
changed without a restatement.
*/
with

published_counts as (

    select * from {{ source('pipelines', 'published_counts') }}

),

published_listings as (

    select * from {{ source('pipelines', 'published_listings') }}

),

windows as (

    select * from {{ ref('windows') }}

),

restatements as (

    select * from {{ ref('rpt_restatements') }}

),

counted as (

    unpivot published_counts
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

listed as (

    select
        window_id,
        version,
        listing || '_count' as what,
        count(*) as thread_count

    from published_listings

    group by window_id, version, listing

),

moved as (

    select
        window_id,
        version,
        listing || '_count' as what,
        count(*) filter (where change = 'appeared')
        - count(*) filter (where change = 'left') as difference

    from restatements

    group by window_id, version, listing

),

compared as (

    select
        counted.window_id,
        counted.version,
        counted.what

    from counted

    left join listed
        on
            counted.window_id = listed.window_id
            and counted.version = listed.version
            and counted.what = listed.what

    left join counted as earlier
        on
            counted.window_id = earlier.window_id
            and counted.version = earlier.version + 1
            and counted.what = earlier.what

    left join moved
        on
            counted.window_id = moved.window_id
            and counted.version = moved.version
            and counted.what = moved.what

    left join windows
        on counted.window_id = windows.window_id

    where
        counted.thread_count != coalesce(listed.thread_count, 0)
        or (
            -- Of a window that is not built now, nothing is told.
            windows.window_id is not null
            and counted.thread_count
            != earlier.thread_count + coalesce(moved.difference, 0)
        )

)

select * from compared
