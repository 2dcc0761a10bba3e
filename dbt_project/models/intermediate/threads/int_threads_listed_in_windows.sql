with

placed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

)

select
    window_id,
    thread_id,
    list_sort(list(listing)) as listings

from placed

group by window_id, thread_id
