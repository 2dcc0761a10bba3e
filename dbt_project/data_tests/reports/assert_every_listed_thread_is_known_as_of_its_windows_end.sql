-- A row is a thread that is placed in a listing and that no report row describes.
with

placed as (

    select * from {{ ref('int_window_listings') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

compared as (

    select
        placed.window_id,
        placed.listing,
        placed.thread_id

    from placed

    left join listed_threads
        on
            placed.window_id = listed_threads.window_id
            and placed.listing = listed_threads.listing
            and placed.thread_id = listed_threads.thread_id

    where listed_threads.thread_id is null

)

select * from compared
