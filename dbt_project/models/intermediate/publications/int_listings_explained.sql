with

restated as (

    select * from {{ ref('int_listings_restated') }}

),

compared as (

    select * from {{ ref('int_publications_compared') }}

),

published_reasons as (

    select * from {{ source('pipelines', 'published_reasons') }}

),

published_listings as (

    select * from {{ source('pipelines', 'published_listings') }}

),

threads as (

    select * from {{ ref('threads') }}

),

issue_events as (

    select * from {{ ref('stg_github__events') }}

),

joined as (

    select
        restated.*,
        compared.is_drafted,
        compared.published_at,
        compared.restated_at,
        compared.published_at_before,
        compared.fetched_until_before,
        compared.is_moved,
        compared.is_replaced,
        compared.has_new_rules,
        threads.url,
        not {{ not_missing_at('compared.window_end_at') }} as is_vanished,
        coalesce(
            threads.fetched_at > compared.fetched_until_before,
            threads.thread_id is not null
        ) as is_row_later,
        published_reasons.reason

    from restated

    inner join compared
        on
            restated.window_id = compared.window_id
            and restated.version = compared.version

    left join threads
        on restated.thread_id = threads.thread_id

    left join published_reasons
        on
            restated.window_id = published_reasons.window_id
            and restated.version = published_reasons.version
            and restated.listing = published_reasons.listing
            and restated.thread_id = published_reasons.thread_id
            and restated.change = published_reasons.change

),

-- What became of the thread before it was published, as far as that was loaded later.
events_seen as (

    select
        joined.window_id,
        joined.version,
        joined.listing,
        joined.thread_id,
        joined.change,
        bool_or(issue_events.fetched_at <= joined.fetched_until_before) as is_known,
        bool_or(
            coalesce(issue_events.fetched_at > joined.fetched_until_before, true)
            and issue_events.occurred_at < joined.published_at_before
            and case joined.change
                when 'retitled' then issue_events.event = 'renamed'
                when 'relabelled' then issue_events.event in ('labeled', 'unlabeled')
                when 'redrafted'
                    then issue_events.event in ('convert_to_draft', 'ready_for_review')
                else
                    joined.listing not in ('new_issue', 'new_pr')
                    and issue_events.event in ('closed', 'reopened', 'merged')
            end
        ) as has_late_event

    from joined

    inner join issue_events
        on joined.thread_id = issue_events.thread_id

    where joined.is_drafted

    group by
        joined.window_id,
        joined.version,
        joined.listing,
        joined.thread_id,
        joined.change

),

seen_before as (

    select distinct published_listings.thread_id

    from published_listings

    inner join joined
        on published_listings.thread_id = joined.thread_id

),

explained as (

    select
        joined.* exclude (reason),
        case
            when not joined.is_drafted then coalesce(joined.reason, 'unexplained')
            when joined.is_moved then 'moved_window'
            when joined.is_replaced then 'replaced_targeted'
            when joined.change = 'left' and joined.is_vanished then 'vanished'
            when
                joined.change = 'appeared'
                and joined.is_row_later
                and seen_before.thread_id is null
                and not coalesce(events_seen.is_known, false)
                then 'late_row'
            when events_seen.has_late_event then 'late_event'
            when joined.is_row_later then 'silent_change'
            when joined.has_new_rules then 'new_rules'
            else 'unexplained'
        end as reason

    from joined

    left join events_seen
        on
            joined.window_id = events_seen.window_id
            and joined.version = events_seen.version
            and joined.listing = events_seen.listing
            and joined.thread_id = events_seen.thread_id
            and joined.change = events_seen.change

    left join seen_before
        on joined.thread_id = seen_before.thread_id

)

select * from explained
