{{ config(materialized='incremental', incremental_strategy='by_thread_or_window') }}
{%- do built_before('int_windows_changed') %}

with

windows as (

    select * from {{ ref('windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

changed_threads as (

    select * from threads
    {{ of_changed_threads() }}

),

placed_for_threads as (
    {{ threads_placed('windows', 'changed_threads', 'thread_states') }}
)

{% if builds_incrementally() %}
    ,

    changed_windows as (
        select * from windows
        {{ of_changed_windows() }}
    ),

    placed_for_windows as (
        {{ threads_placed('changed_windows', 'threads', 'thread_states') }}
    )

    select * from placed_for_threads

    union

    select * from placed_for_windows
{% else %}
    select * from placed_for_threads
{% endif %}
