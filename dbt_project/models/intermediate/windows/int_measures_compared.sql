with

windows as (

    select * from {{ ref('windows') }}

),

window_kinds as (

    select * from {{ ref('window_kinds') }}

),

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

spoken_in as (

    select * from {{ ref('window_metrics') }}

),

preceded as (

    select * from {{ ref('int_windows_preceded') }}

),

widened as (

    select
        headline_counts.window_id,
        headline_counts.new_issue_count as new_issue,
        headline_counts.closed_issue_count as closed_issue,
        headline_counts.new_pr_count as new_pr,
        headline_counts.merged_pr_count as merged_pr,
        headline_counts.closed_unmerged_pr_count as closed_unmerged_pr,
        headline_counts.new_issue_count
        + headline_counts.closed_issue_count
        + headline_counts.new_pr_count
        + headline_counts.merged_pr_count
        + headline_counts.closed_unmerged_pr_count as listing,
        spoken_in.human_comment_count as human_comment

    from headline_counts

    inner join spoken_in
        on headline_counts.window_id = spoken_in.window_id

),

measured as (

    select
        window_id,
        unnest([
            'new_issue',
            'closed_issue',
            'new_pr',
            'merged_pr',
            'closed_unmerged_pr',
            'listing',
            'human_comment'
        ]) as measure,
        unnest([
            new_issue,
            closed_issue,
            new_pr,
            merged_pr,
            closed_unmerged_pr,
            listing,
            human_comment
        ]) as counted

    from widened

),

-- Of daily windows every seventh before is of the same weekday.
earlier_windows as (

    select
        preceded.window_id,
        preceded.earlier_window_id,
        window_kinds.step = interval '1 day'
        and preceded.step % 7 = 0 as is_same_weekday

    from preceded

    inner join windows
        on preceded.window_id = windows.window_id

    inner join window_kinds
        on windows.window_kind = window_kinds.window_kind

),

summed as (

    select
        earlier_windows.window_id,
        measured.measure,
        count(*) as earlier_count,
        median(measured.counted) as earlier_median,
        count(*) filter (where earlier_windows.is_same_weekday) as weekday_count,
        median(measured.counted) filter (where earlier_windows.is_same_weekday)
            as weekday_median

    from earlier_windows

    inner join measured
        on earlier_windows.earlier_window_id = measured.window_id

    group by earlier_windows.window_id, measured.measure

),

joined as (

    select
        measured.window_id,
        measured.measure,
        measured.counted,
        case
            when summed.earlier_count >= {{ var('fewest_baseline_windows') }}
                then summed.earlier_median
        end as counted_median,
        case
            when summed.weekday_count >= {{ var('fewest_weekday_windows') }}
                then summed.weekday_median
        end as weekday_median

    from measured

    left join summed
        on
            measured.window_id = summed.window_id
            and measured.measure = summed.measure

),

-- A share alone would call two instead of one a rise of 100 %.
judged as (

    select
        *,
        case
            when counted_median is null then null
            when abs(counted - counted_median) < {{ var('direction_fewest') }}
                then 'near'
            when counted >= counted_median * {{ var('direction_ratio') }}
                then 'above'
            when counted * {{ var('direction_ratio') }} <= counted_median
                then 'below'
            else 'near'
        end as direction

    from joined

)

select * from judged
