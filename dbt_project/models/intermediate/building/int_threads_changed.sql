{{ config(materialized='table') }}

with

fingerprinted as (

    select * from {{ ref('int_threads_fingerprinted') }}

),

{% if builds_incrementally() %}
    changed as (

        select coalesce(fingerprinted.thread_id, kept.thread_id) as thread_id

        from fingerprinted

        full join builds.threads as kept
            on fingerprinted.thread_id = kept.thread_id

        where fingerprinted.fingerprint is distinct from kept.fingerprint

    ),

    -- By the links as the build before left them: some may be gone after this one.
    tied as (

        select thread_links.linked_thread_id as thread_id

        from marts.thread_links as thread_links

        inner join changed
            on thread_links.thread_id = changed.thread_id

        union

        select thread_links.thread_id

        from marts.thread_links as thread_links

        inner join changed
            on thread_links.linked_thread_id = changed.thread_id

    )
{% else %}
    changed as (

        select thread_id from fingerprinted

    ),

    tied as (

        select thread_id

        from fingerprinted

        where false

    )
{% endif %}

select
    thread_id,
    true as is_changed

from changed

union all

select
    tied.thread_id,
    false as is_changed

from tied

anti join changed
    on tied.thread_id = changed.thread_id
