with

windows as (

    select * from {{ ref('windows') }}

),

placed as (

    select * from {{ ref('int_window_listings') }}

),

counted as (

    select
        windows.window_id,
        windows.project,
        windows.window_kind,
        windows.window_index,
        windows.is_complete,
        windows.completeness,
        count(*) filter (where placed.listing = 'new_issue') as new_issue_count,
        count(*) filter (where placed.listing = 'closed_issue') as closed_issue_count,
        count(*) filter (where placed.listing = 'new_pr') as new_pr_count,
        count(*) filter (where placed.listing = 'merged_pr') as merged_pr_count,
        count(*) filter (where placed.listing = 'closed_unmerged_pr')
            as closed_unmerged_pr_count

    from windows

    left join placed
        on windows.window_id = placed.window_id

    group by
        windows.window_id,
        windows.project,
        windows.window_kind,
        windows.window_index,
        windows.is_complete,
        windows.completeness

),

preceded as (

    select
        counted.window_id,
        count(*) as baseline_window_count,
        median(earlier.new_issue_count) as new_issue_count_median,
        median(earlier.closed_issue_count) as closed_issue_count_median,
        median(earlier.new_pr_count) as new_pr_count_median,
        median(earlier.merged_pr_count) as merged_pr_count_median,
        median(earlier.closed_unmerged_pr_count) as closed_unmerged_pr_count_median

    from counted

    inner join counted as earlier
        on {{ precedes('earlier', 'counted') }}

    where
        earlier.is_complete
        and {{ baselined_windows('counted') }}

    group by counted.window_id

    having count(*) >= {{ var('fewest_baseline_windows') }}

),

joined as (

    select
        counted.window_id,
        counted.new_issue_count,
        counted.closed_issue_count,
        counted.new_pr_count,
        counted.merged_pr_count,
        counted.closed_unmerged_pr_count,
        preceded.new_issue_count_median,
        preceded.closed_issue_count_median,
        preceded.new_pr_count_median,
        preceded.merged_pr_count_median,
        preceded.closed_unmerged_pr_count_median

    from counted

    left join preceded
        on counted.window_id = preceded.window_id

)

select * from joined
