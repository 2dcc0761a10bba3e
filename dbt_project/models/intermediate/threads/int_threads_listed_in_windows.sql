with

placed as (

    select * from {{ ref('int_threads_placed_in_windows') }}

)

select
    window_id,
    thread_id,
    list_sort(list(listing)) as listings

from placed

group by window_id, thread_id
