-- A row is a window whose headline does not count its listed threads.
with

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

counted as (

    select
        window_id,
        count(*) filter (where listing = 'new_issue') as new_issue_count,
        count(*) filter (where listing = 'closed_issue') as closed_issue_count,
        count(*) filter (where listing = 'new_pr') as new_pr_count,
        count(*) filter (where listing = 'merged_pr') as merged_pr_count,
        count(*) filter (where listing = 'closed_unmerged_pr')
            as closed_unmerged_pr_count

    from listed_threads

    group by window_id

),

compared as (

    select headline_counts.window_id

    from headline_counts

    left join counted
        on headline_counts.window_id = counted.window_id

    where
        headline_counts.new_issue_count != coalesce(counted.new_issue_count, 0)
        or headline_counts.closed_issue_count
        != coalesce(counted.closed_issue_count, 0)
        or headline_counts.new_pr_count != coalesce(counted.new_pr_count, 0)
        or headline_counts.merged_pr_count != coalesce(counted.merged_pr_count, 0)
        or headline_counts.closed_unmerged_pr_count
        != coalesce(counted.closed_unmerged_pr_count, 0)

)

select * from compared
