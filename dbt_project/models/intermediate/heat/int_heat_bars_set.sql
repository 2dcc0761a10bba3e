with

windows as (

    select * from {{ ref('windows') }}

),

scored as (

    select * from {{ ref('int_threads_scored_for_heat') }}

),

preceded as (

    select
        windows.window_id,
        earlier.window_id as earlier_window_id

    from windows

    inner join windows as earlier
        on {{ precedes('earlier', 'windows') }}

    where
        earlier.is_complete
        and {{ baselined_windows() }}

),

pooled as (

    select
        preceded.window_id,
        count(distinct preceded.earlier_window_id) as baseline_window_count,
        list_sort(
            list(scored.heat_score) filter (where scored.heat_score is not null)
        ) as scores

    from preceded

    left join scored
        on preceded.earlier_window_id = scored.window_id

    group by preceded.window_id

),

-- Above the k-th smallest of n, k = n x share rounded up: that share is strictly below.
barred as (

    select
        window_id,
        baseline_window_count,
        scores[(len(scores) * 50 + 99) // 100] as bar_50,
        scores[(len(scores) * 75 + 99) // 100] as bar_75,
        scores[(len(scores) * 90 + 99) // 100] as bar_90,
        scores[(len(scores) * 97 + 99) // 100] as bar_97

    from pooled

    where
        baseline_window_count >= {{ var("fewest_baseline_windows") }}
        and len(scores) > 0

)

select * from barred
