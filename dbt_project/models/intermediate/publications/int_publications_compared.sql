with

published_counts as (

    select * from {{ source('pipelines', 'published_counts') }}

),

drafted as (

    select * from {{ ref('int_publications_drafted') }}

),

stacked as (

    select
        window_id,
        version,
        published_at,
        false as is_drafted

    from published_counts

    union all

    select
        window_id,
        version,
        published_at,
        true as is_drafted

    from drafted

),

compared as (

    select
        publications.window_id,
        publications.version,
        publications.is_drafted,
        firsts.published_at,
        publications.published_at as restated_at

    from stacked as publications

    inner join stacked as firsts
        on
            publications.window_id = firsts.window_id
            and firsts.version = 1

    where publications.version > 1

)

select * from compared
