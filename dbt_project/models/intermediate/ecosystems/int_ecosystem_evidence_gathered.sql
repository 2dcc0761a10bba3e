{{ config(materialized='table') }}

with

matched_by_label as (

    select * from {{ ref('int_threads_matched_by_label') }}

),

matched_by_title as (

    select * from {{ ref('int_threads_matched_by_title') }}

),

matched_by_body as (

    select * from {{ ref('int_threads_matched_by_body') }}

),

matched_by_author as (

    select * from {{ ref('int_threads_matched_by_author') }}

),

matched_by_comment as (

    select * from {{ ref('int_threads_matched_by_comment') }}

),

matched_by_path as (

    select * from {{ ref('int_threads_matched_by_path') }}

),

stacked as (

    select * from matched_by_label

    union all

    select * from matched_by_title

    union all

    select * from matched_by_body

    union all

    select * from matched_by_author

    union all

    select * from matched_by_comment

    union all

    select * from matched_by_path

)

select * from stacked
