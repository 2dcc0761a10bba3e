with

windows as (

    select * from {{ ref('windows') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

window_kinds as (

    select * from {{ ref('window_kinds') }}

),

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

ecosystem_share as (

    select * from {{ ref('rpt_ecosystem_share') }}

),

window_metrics as (

    select * from {{ ref('window_metrics') }}

),

-- A window that is not there yet keeps its place, so that a gap is seen as one.
placed as (

    select
        windows.window_id,
        windows.project,
        windows.window_kind,
        windows.window_index - steps.step as trend_index,
        cast({{ var('baseline_windows') }} - steps.step as integer) as position,
        cast(windows.window_date - steps.step * window_kinds.step as date) as trend_date

    from windows

    inner join window_kinds
        on windows.window_kind = window_kinds.window_kind

    cross join range({{ var('baseline_windows') }}) as steps (step)

    union all

    select
        windows.window_id,
        windows.project,
        windows.window_kind,
        cast(null as bigint) as trend_index,
        cast({{ var('baseline_windows') }} as integer) as position,
        windows.window_date as trend_date

    from windows

    anti join window_kinds
        on windows.window_kind = window_kinds.window_kind

),

found as (

    select
        placed.window_id,
        placed.position,
        placed.trend_date,
        trend_windows.window_id as trend_window_id,
        coalesce(trend_windows.is_complete, false) as is_complete,
        case when trend_windows.is_complete then trend_windows.window_id end
            as counted_window_id,
        projects.spotlight_ecosystem

    from placed

    inner join projects
        on placed.project = projects.project

    left join windows as trend_windows
        on
            placed.project = trend_windows.project
            and placed.window_kind = trend_windows.window_kind
            and case
                when placed.trend_index is null
                    then placed.window_id = trend_windows.window_id
                else placed.trend_index = trend_windows.window_index
            end

),

joined as (

    select
        found.window_id,
        found.position,
        found.trend_window_id,
        found.trend_date,
        found.is_complete,
        headline_counts.new_issue_count,
        headline_counts.closed_issue_count,
        headline_counts.new_pr_count,
        headline_counts.merged_pr_count,
        headline_counts.closed_unmerged_pr_count,
        window_metrics.human_comment_count,
        found.spotlight_ecosystem as ecosystem,
        ecosystem_share.thread_count as ecosystem_thread_count,
        ecosystem_share.share as ecosystem_thread_share

    from found

    left join headline_counts
        on found.counted_window_id = headline_counts.window_id

    left join window_metrics
        on found.counted_window_id = window_metrics.window_id

    left join ecosystem_share
        on
            found.counted_window_id = ecosystem_share.window_id
            and found.spotlight_ecosystem = ecosystem_share.ecosystem

)

select * from joined
