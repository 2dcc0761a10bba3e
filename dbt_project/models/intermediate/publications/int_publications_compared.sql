with

published_counts as (

    select * from {{ source('pipelines', 'published_counts') }}

),

published_rules as (

    select * from {{ source('pipelines', 'published_rules') }}

),

drafted as (

    select * from {{ ref('int_publications_drafted') }}

),

stacked as (

    select
        published_counts.*,
        published_rules.rules,
        false as is_drafted

    from published_counts

    left join published_rules
        on
            published_counts.window_id = published_rules.window_id
            and published_counts.version = published_rules.version

    union all

    select
        *,
        true as is_drafted

    from drafted

),

compared as (

    select
        publications.window_id,
        publications.version,
        publications.is_drafted,
        publications.published_at as restated_at,
        firsts.published_at,
        before.published_at as published_at_before,
        before.fetched_until as fetched_until_before,
        publications.window_end_at,
        publications.window_start_at != before.window_start_at
        or publications.window_end_at != before.window_end_at as is_moved,
        publications.completeness = 'synced' and before.completeness = 'targeted'
            as is_replaced,
        -- Where nothing was loaded in between, the data cannot have done it.
        coalesce(publications.tool_version, '') != coalesce(before.tool_version, '')
        or (
            publications.published_at = before.published_at
            and coalesce(epoch_us(publications.fetched_until), 0)
            = coalesce(epoch_us(before.fetched_until), 0)
            and publications.vanished_thread_count = before.vanished_thread_count
        )
        or coalesce(publications.rules != before.rules, false) as has_new_rules

    from stacked as publications

    inner join stacked as before
        on
            publications.window_id = before.window_id
            and publications.version = before.version + 1

    inner join stacked as firsts
        on
            publications.window_id = firsts.window_id
            and firsts.version = 1

)

select * from compared
