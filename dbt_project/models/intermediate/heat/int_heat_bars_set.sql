with

windows as (

    select * from {{ ref('windows') }}

),

told as (

    select * from windows
    {{ of_touched_windows() }}

),

scored as (

    select * from {{ ref('int_threads_scored_for_heat') }}

),

preceded as (

    select
        told.window_id,
        earlier.window_id as earlier_window_id

    from told

    inner join windows as earlier
        on {{ precedes('earlier', 'told') }}

    where
        earlier.is_complete
        and {{ baselined_windows('told') }}

),

-- Of n scores the k-th smallest, k = n x share rounded up: what is above it has that
-- share strictly below.
pooled as (

    select
        preceded.window_id,
        count(distinct preceded.earlier_window_id) as baseline_window_count,
        quantile_disc(scored.heat_score, [0.50, 0.75, 0.90, 0.97]) as bars

    from preceded

    left join scored
        on preceded.earlier_window_id = scored.window_id

    group by preceded.window_id

),

barred as (

    select
        window_id,
        baseline_window_count,
        bars[1] as bar_50,
        bars[2] as bar_75,
        bars[3] as bar_90,
        bars[4] as bar_97

    from pooled

    where
        baseline_window_count >= {{ var("fewest_baseline_windows") }}
        and bars is not null

)

select * from barred
