with

threads as (

    select * from {{ ref('threads') }}
    {{ of_changed_threads() }}

),

versioned as (

    select * from {{ ref('int_threads_versioned') }}

),

stacked as (

    select
        thread_id || '@now' as version_id,
        thread_id,
        cast(null as timestamptz) as as_of_at,
        title,
        labels

    from threads

    union all

    select
        thread_id || '@' || epoch_ms(as_of_at) as version_id,
        thread_id,
        as_of_at,
        title,
        labels

    from versioned

    where as_of_at = version_as_of_at

)

select * from stacked
