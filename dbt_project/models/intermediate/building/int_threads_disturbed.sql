{{ config(materialized='table') }}

with

changed as (

    select * from {{ ref('int_threads_changed') }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

both_ways as (

    select
        thread_id,
        linked_thread_id

    from thread_links

    union all

    select
        linked_thread_id as thread_id,
        thread_id as linked_thread_id

    from thread_links

),

disturbed as (

    select thread_id

    from changed

    union

    select both_ways.linked_thread_id as thread_id

    from both_ways

    inner join changed
        on both_ways.thread_id = changed.thread_id

    where changed.is_changed

),

-- Whose activity brings a disturbed thread into a window.
beside as (

    select distinct both_ways.linked_thread_id as thread_id

    from both_ways

    inner join disturbed
        on both_ways.thread_id = disturbed.thread_id

)

select
    thread_id,
    true as is_disturbed

from disturbed

union all

select
    beside.thread_id,
    false as is_disturbed

from beside

anti join disturbed
    on beside.thread_id = disturbed.thread_id
