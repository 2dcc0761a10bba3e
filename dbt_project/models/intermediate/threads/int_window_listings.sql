{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

placed as (
    {{ listing_members('windows', 'threads', 'thread_states') }}
)

select * from placed
