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
        on {{ precedes('earlier', 'windows') }}

    where
        earlier.is_complete
        and {{ baselined_windows() }}

)

select * from preceded
