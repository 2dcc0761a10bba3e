with

compared as (

    select * from {{ ref('int_publications_compared') }}

),

published_listings as (

    select * from {{ source('pipelines', 'published_listings') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

before as (

    select published_listings.* replace (compared.version as version)

    from published_listings

    inner join compared
        on
            published_listings.window_id = compared.window_id
            and published_listings.version = compared.version - 1

),

after as (

    select published_listings.*

    from published_listings

    inner join compared
        on
            published_listings.window_id = compared.window_id
            and published_listings.version = compared.version

    where not compared.is_drafted

    union all

    select
        listed_threads.window_id,
        compared.version,
        listed_threads.listing,
        listed_threads.thread_id,
        listed_threads.title,
        listed_threads.labels,
        listed_threads.is_draft,
        listed_threads.event_at,
        listed_threads.as_of_basis

    from listed_threads

    inner join compared
        on listed_threads.window_id = compared.window_id

    where compared.is_drafted

),

paired as (

    select
        coalesce(after.window_id, before.window_id) as window_id,
        coalesce(after.version, before.version) as version,
        coalesce(after.listing, before.listing) as listing,
        coalesce(after.thread_id, before.thread_id) as thread_id,
        before.thread_id is not null as was_listed,
        after.thread_id is not null as is_listed,
        -- Only what events tell is a claim about the window's end.
        coalesce(
            before.as_of_basis = 'events' and after.as_of_basis = 'events',
            false
        ) as is_told_by_events,
        strftime(timezone('UTC', before.event_at), '%Y-%m-%dT%H:%M:%SZ')
            as event_at_before,
        strftime(timezone('UTC', after.event_at), '%Y-%m-%dT%H:%M:%SZ')
            as event_at,
        before.title as title_before,
        after.title,
        array_to_string(list_sort(before.labels), ',') as labels_before,
        array_to_string(list_sort(after.labels), ',') as labels,
        if(before.is_draft, 'draft', 'ready') as draft_before,
        if(after.is_draft, 'draft', 'ready') as draft

    from before

    full join after
        on
            before.window_id = after.window_id
            and before.version = after.version
            and before.listing = after.listing
            and before.thread_id = after.thread_id

),

stacked as (

    select
        *,
        'appeared' as change,
        cast(null as varchar) as from_value,
        title as to_value

    from paired

    where not was_listed

    union all

    select
        *,
        'left' as change,
        title_before as from_value,
        null as to_value

    from paired

    where not is_listed

    union all

    select
        *,
        'retimed' as change,
        event_at_before as from_value,
        event_at as to_value

    from paired

    where event_at != event_at_before

    union all

    select
        *,
        'retitled' as change,
        title_before as from_value,
        title as to_value

    from paired

    where
        is_told_by_events
        and title != title_before

    union all

    select
        *,
        'relabelled' as change,
        labels_before as from_value,
        labels as to_value

    from paired

    where
        is_told_by_events
        and labels != labels_before

    union all

    select
        *,
        'redrafted' as change,
        draft_before as from_value,
        draft as to_value

    from paired

    where
        is_told_by_events
        and draft != draft_before

)

select
    window_id,
    version,
    listing,
    thread_id,
    change,
    from_value,
    to_value

from stacked
