{{ config(materialized='incremental') }}
{#- What the table macros read is built before them. #}
{%- do built_before('projects') %}
{%- do built_before('windows') %}
{%- do built_before('coverage') %}

with

placed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

joined as (

    select
        placed.window_id,
        placed.listing,
        cast(row_number() over (
            partition by placed.window_id, placed.listing
            order by placed.event_at desc, threads.number desc
        ) as integer) as position,
        placed.thread_id,
        threads.number,
        threads.kind,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        threads.author_login,
        threads.is_bot_author,
        as_of_window_ends.is_draft,
        placed.event_at,
        threads.url,
        as_of_window_ends.as_of_basis,
        as_of_window_ends.labels_basis

    from placed

    inner join as_of_window_ends
        on
            placed.window_id = as_of_window_ends.window_id
            and placed.thread_id = as_of_window_ends.thread_id

    inner join threads
        on placed.thread_id = threads.thread_id

)

select * from joined
