-- A row is a window and listing whose headline does not count its listed threads.
with

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

headlines as (

    unpivot headline_counts
    on
        new_issue_count,
        closed_issue_count,
        new_pr_count,
        merged_pr_count,
        closed_unmerged_pr_count
    into name measure value headline_count

),

counted as (

    select
        window_id,
        listing,
        count(*) as listed_count

    from listed_threads

    group by window_id, listing

),

compared as (

    select
        headlines.window_id,
        headlines.measure,
        headlines.headline_count,
        coalesce(counted.listed_count, 0) as listed_count

    from headlines

    left join counted
        on
            headlines.window_id = counted.window_id
            and headlines.measure = counted.listing || '_count'

)

select *
from compared
where headline_count != listed_count
