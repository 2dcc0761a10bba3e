with

versioned as (

    select * from {{ ref('int_threads_versioned') }}

),

scored as (

    select * from {{ ref('int_versions_scored_for_ecosystems') }}

),

stacked as (

    select
        version_id,
        thread_id,
        as_of_at,
        ecosystem,
        score,
        is_tagged,
        is_author_only,
        evidence

    from scored

    where as_of_at is null

    union all

    select
        versioned.thread_id || '@' || epoch_ms(versioned.as_of_at) as version_id,
        versioned.thread_id,
        versioned.as_of_at,
        scored.ecosystem,
        scored.score,
        scored.is_tagged,
        scored.is_author_only,
        scored.evidence

    from versioned

    inner join scored
        on
            versioned.thread_id = scored.thread_id
            and versioned.version_as_of_at = scored.as_of_at

)

select * from stacked
