{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}

),

computed_windows as (

    select * from windows
    {{ of_windows_to_build() }}

),

listings as (

    select
        window_id,
        thread_id,
        list_sort(list(listing)) as listings

    from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

    group by window_id, thread_id

),

heat as (

    select * from {{ ref('int_comment_heat') }}

),

threads as (

    select * from {{ ref('threads') }}

),

pools as (

    select
        computed_windows.window_id,
        earlier.window_id as earlier_window_id

    from computed_windows

    inner join windows as earlier
        on {{ precedes('earlier', 'computed_windows') }}

    where
        earlier.is_complete
        and {{ baselined_windows('computed_windows') }}

),

-- Of n scores the k-th smallest, k = n x share rounded up: what is above it has that
-- share strictly below.
bars as (

    select
        pools.window_id,
        quantile_disc(heat.heat_score, [0.50, 0.75, 0.90, 0.97]) as scores

    from pools

    left join heat
        on
            pools.earlier_window_id = heat.window_id
            and heat.human_comment_count > 0

    group by pools.window_id

    having
        count(distinct pools.earlier_window_id) >= {{ var('fewest_baseline_windows') }}
        and count(heat.thread_id) > 0

),

joined as (

    select
        heat.window_id,
        heat.thread_id,
        computed_windows.project,
        threads.kind,
        threads.number,
        coalesce(listings.listings, []) as listings,
        heat.human_comment_count > 0 or listings.thread_id is not null as is_active,
        heat.comment_count,
        heat.human_comment_count,
        heat.participant_count,
        heat.comments_per_hour,
        heat.peak_hour_comment_count,
        heat.baseline_per_day,
        heat.velocity_ratio,
        heat.heat_score,
        case
            when heat.human_comment_count > 0 and bars.scores is not null
                then
                    1
                    + cast(heat.heat_score > bars.scores[1] as integer)
                    + cast(heat.heat_score > bars.scores[2] as integer)
                    + cast(heat.heat_score > bars.scores[3] as integer)
                    + cast(heat.heat_score > bars.scores[4] as integer)
        end as heat_level,
        case
            when heat.human_comment_count > 0
                then row_number() over (
                    partition by heat.window_id
                    order by
                        heat.human_comment_count > 0 desc,
                        heat.heat_score desc,
                        heat.human_comment_count desc,
                        heat.participant_count desc,
                        threads.number asc
                )
        end as heat_rank

    from heat

    inner join computed_windows
        on heat.window_id = computed_windows.window_id

    inner join threads
        on heat.thread_id = threads.thread_id

    left join listings
        on
            heat.window_id = listings.window_id
            and heat.thread_id = listings.thread_id

    left join bars
        on heat.window_id = bars.window_id

)

select * from joined
