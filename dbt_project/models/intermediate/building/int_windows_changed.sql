{{ config(materialized='table') }}

with

windows as (

    select * from {{ ref('windows') }}

)

{% if builds_incrementally() %}
    select coalesce(windows.window_id, kept.window_id) as window_id

    from windows

    full join builds.windows as kept
        on windows.window_id = kept.window_id

    where
        windows.project is distinct from kept.project
        or windows.window_start_at is distinct from kept.window_start_at
        or windows.window_end_at is distinct from kept.window_end_at
{% else %}
    select window_id from windows
{% endif %}
