with

threads as (

    select * from {{ ref('threads') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

stacked as (

    select
        thread_id || '@now' as version_id,
        thread_id,
        cast(null as timestamptz) as as_of_at,
        title,
        labels

    from threads

    union

    select
        thread_id || '@' || epoch_ms(as_of_at) as version_id,
        thread_id,
        as_of_at,
        title,
        labels

    from as_of_window_ends

    where is_active

)

select * from stacked
