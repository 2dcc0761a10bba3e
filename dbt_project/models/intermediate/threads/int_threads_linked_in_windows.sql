{{ config(materialized='table') }}

with

tied as (

    select * from {{ ref('int_threads_tied_in_windows') }}

),

shown as (

    select * from {{ ref('int_threads_shown_in_sections') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

wanted as (

    select tied.*

    from tied

    semi join shown
        on
            tied.window_id = shown.window_id
            and tied.thread_id = shown.thread_id

),

described as (

    select
        wanted.window_id,
        wanted.thread_id,
        {{ listed_in_order(
            "{
                'thread_id': wanted.linked_thread_id,
                'number': cast(split_part(wanted.linked_thread_id, '#', 2) as bigint),
                'relation': wanted.relation,
                'title': linked_then.title,
                'url': linked.url,
                'status': linked_then.status
            }",
            [
                "list_position(
                    ['fixes', 'fixed_by', 'mentions', 'mentioned_by'],
                    wanted.relation
                )",
                'wanted.linked_thread_id'
            ]
        ) }} as linked_threads

    from wanted

    left join threads as linked
        on wanted.linked_thread_id = linked.thread_id

    left join as_of_window_ends as linked_then
        on
            wanted.window_id = linked_then.window_id
            and wanted.linked_thread_id = linked_then.thread_id

    group by wanted.window_id, wanted.thread_id

)

select * from described
