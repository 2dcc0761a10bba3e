with

proposed as (

    select * from {{ ref('int_windows_proposed') }}

),

streams_checked as (

    select * from {{ ref('int_window_streams_checked') }}

),

targeted as (

    select * from {{ source('pipelines', 'targeted_windows') }}

),

completed as (

    select
        window_id,
        bool_and(is_enough) as is_complete

    from streams_checked

    group by window_id

),

joined as (

    select
        proposed.window_id,
        proposed.project,
        proposed.window_kind,
        proposed.window_date,
        proposed.window_start_at,
        proposed.window_end_at,
        completed.is_complete or targeted.window_id is not null as is_complete,
        case
            when completed.is_complete then 'synced'
            when targeted.window_id is not null then 'targeted'
            else 'partial'
        end as completeness,
        -- Counts windows of a kind, so that "the 28 before" is a subtraction.
        case proposed.window_kind
            when 'day' then date_diff('day', date '1970-01-05', proposed.window_date)
            when 'week' then date_diff('week', date '1970-01-05', proposed.window_date)
            when 'month'
                then date_diff('month', date '1970-01-01', proposed.window_date)
        end as window_index

    from proposed

    inner join completed
        on proposed.window_id = completed.window_id

    -- By its instants too: a project's window may have come to start at another time.
    left join targeted
        on
            proposed.window_id = targeted.window_id
            and proposed.window_start_at = targeted.window_start_at
            and proposed.window_end_at = targeted.window_end_at

    where
        completed.is_complete
        or proposed.is_requested

)

select * from joined
