{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

placed as (
    {{ comments_placed('windows', 'comments') }}
)

select * from placed
