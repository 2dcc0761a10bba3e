{{ config(materialized='table') }}

with

fingerprinted as (

    select * from {{ ref('int_windows_fingerprinted') }}

)

{% if builds_incrementally() %}
    ,

    changed as (

        select
            coalesce(fingerprinted.window_id, kept.window_id) as window_id,
            coalesce(fingerprinted.project, kept.project) as project,
            coalesce(fingerprinted.window_kind, kept.window_kind) as window_kind,
            coalesce(fingerprinted.window_index, kept.window_index) as window_index

        from fingerprinted

        full join builds.windows as kept
            on fingerprinted.window_id = kept.window_id

        where fingerprinted.fingerprint is distinct from kept.fingerprint

    )

    select window_id

    from changed

    union

    -- Their medians, levels and lifts rest on it.
    select fingerprinted.window_id

    from fingerprinted

    inner join changed
        on {{ precedes('changed', 'fingerprinted') }}
{% else %}
    select window_id from fingerprinted
{% endif %}
