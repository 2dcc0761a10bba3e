with

placed as (

    select * from {{ ref('int_all_threads_placed') }}
    {{ of_touched_windows() }}

)

select * from placed
