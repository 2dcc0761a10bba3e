{{ config(materialized='incremental', incremental_strategy='by_thread_or_window') }}
{%- do built_before('int_windows_changed') %}

with

windows as (

    select * from {{ ref('windows') }}

),

comments as (

    select * from {{ ref('comments') }}

),

changed_comments as (

    select * from comments
    {{ of_changed_threads() }}

),

placed_for_threads as (
    {{ comments_placed('windows', 'changed_comments') }}
)

{% if builds_incrementally() %}
    ,

    changed_windows as (
        select * from windows
        {{ of_changed_windows() }}
    ),

    placed_for_windows as (
        {{ comments_placed('changed_windows', 'comments') }}
    )

    select * from placed_for_threads

    union

    select * from placed_for_windows
{% else %}
    select * from placed_for_threads
{% endif %}
