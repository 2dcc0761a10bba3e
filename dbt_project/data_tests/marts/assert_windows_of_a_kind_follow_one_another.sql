-- A row is a day, week or month that begins before the one before it of its project and
-- kind has ended, or that does not begin where the neighbour before it ends.
with

windows as (

    select * from {{ ref('windows') }}

    where window_kind != 'custom'

),

followed as (

    select
        window_id,
        window_start_at,
        window_index,
        lag(window_end_at) over before as end_at_before,
        lag(window_index) over before as index_before

    from windows

    window before as (
        partition by project, window_kind
        order by window_start_at, window_index
    )

),

compared as (

    select window_id

    from followed

    where
        window_start_at < end_at_before
        or (window_start_at > end_at_before and window_index = index_before + 1)
        or window_index <= index_before

)

select * from compared
