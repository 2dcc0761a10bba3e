with

windows as (

    select * from {{ ref('windows') }}

),

preceded as (

    select
        windows.window_id,
        earlier.window_id as earlier_window_id,
        windows.window_index - earlier.window_index as step

    from windows

    inner join windows as earlier
        on
            windows.project = earlier.project
            and windows.window_kind = earlier.window_kind
            and windows.window_index > earlier.window_index
            and windows.window_index - earlier.window_index
            <= {{ var('baseline_windows') }}

    where
        earlier.is_complete
        and {{ baselined_windows() }}

)

select * from preceded
