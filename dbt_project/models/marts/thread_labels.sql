with

threads as (

    select * from {{ ref('threads') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

coverage as (

    select * from {{ ref('coverage') }}

),

label_events as (

    select
        thread_id,
        project,
        label,
        event = 'labeled' as is_on,
        occurred_at,
        event_sequence

    from thread_events

    where
        event in ('labeled', 'unlabeled')
        and thread_id is not null

),

-- Taken off when the label itself was deleted: the event has lost its name.
nameless as (

    select
        thread_id,
        occurred_at

    from label_events

    where
        not is_on
        and label is null

),

label_uses as (

    select
        project,
        label,
        min(occurred_at) as first_used_at,
        max(occurred_at) as last_used_at

    from label_events

    where label is not null

    group by project, label

),

rows_unnested as (

    select
        thread_id,
        coalesce(updated_at, fetched_at) as stated_at,
        unnest(labels) as label

    from threads

),

-- A row tells which labels were on when its thread was last changed, and which not.
stated as (

    select
        thread_id,
        label,
        is_on,
        occurred_at as stated_at,
        event_sequence,
        'event' as basis

    from label_events

    where label is not null

    union all

    select
        thread_id,
        label,
        true as is_on,
        stated_at,
        null as event_sequence,
        'row' as basis

    from rows_unnested

    union all

    select
        named.thread_id,
        named.label,
        false as is_on,
        coalesce(threads.updated_at, threads.fetched_at) as stated_at,
        null as event_sequence,
        'row' as basis

    from (
        select distinct
            thread_id,
            label

        from label_events

        where label is not null
    ) as named

    inner join threads
        on named.thread_id = threads.thread_id

    anti join rows_unnested
        on
            named.thread_id = rows_unnested.thread_id
            and named.label = rows_unnested.label

),

followed as (

    select
        *,
        coalesce(lag(is_on) over by_label, false) as was_on,
        lag(stated_at) over by_label as stated_before_at

    from stated

    window by_label as (
        partition by thread_id, label
        order by stated_at, event_sequence nulls last
    )

),

bounded as (

    select
        *,
        lead(stated_at) over by_label as ended_at,
        lead(basis) over by_label as end_basis,
        lead(stated_at, 2) over by_label as next_put_on_at

    from followed

    where is_on != was_on

    window by_label as (
        partition by thread_id, label
        order by stated_at, event_sequence nulls last
    )

),

-- A label that a row lacks though no event took it off: deleted, or renamed.
vanished as (

    select
        bounded.thread_id,
        bounded.label,
        bounded.stated_at,
        threads.project,
        threads.fetched_at,
        threads.created_at,
        label_uses.last_used_at,
        min(nameless.occurred_at) as nameless_at

    from bounded

    inner join threads
        on bounded.thread_id = threads.thread_id

    inner join label_uses
        on
            threads.project = label_uses.project
            and bounded.label = label_uses.label

    left join nameless
        on
            bounded.thread_id = nameless.thread_id
            and bounded.stated_at <= nameless.occurred_at

    where
        bounded.is_on
        and bounded.end_basis = 'row'

    group by
        bounded.thread_id,
        bounded.label,
        bounded.stated_at,
        threads.project,
        threads.fetched_at,
        threads.created_at,
        label_uses.last_used_at

),

-- It is gone from all threads at once: since the first row that was read without it.
removals as (

    select
        project,
        label,
        count(*) as vanished_count,
        min(fetched_at) as removed_at

    from vanished

    where
        nameless_at is null
        and fetched_at >= last_used_at

    group by project, label

),

-- The new name of a renamed label: it stands, without an event, on every thread from
-- which the old one vanished, and was not used before the old one was used last.
renamed as (

    select
        vanished.project,
        vanished.label,
        bounded.label as renamed_to,
        coalesce(label_uses.first_used_at, removals.removed_at) as renamed_at

    from vanished

    inner join removals
        on
            vanished.project = removals.project
            and vanished.label = removals.label

    inner join bounded
        on
            vanished.thread_id = bounded.thread_id
            and bounded.basis = 'row'
            and bounded.stated_before_at is null

    left join label_uses
        on
            vanished.project = label_uses.project
            and bounded.label = label_uses.label

    where
        vanished.nameless_at is null
        and coalesce(label_uses.first_used_at > vanished.last_used_at, true)
        -- On older threads it may have been put on before the events that we know.
        and exists (
            select 1
            from coverage
            where
                coverage.project = vanished.project
                and coverage.stream = 'issue_events'
                and coverage.covered_from <= vanished.created_at
        )

    group by
        vanished.project,
        vanished.label,
        bounded.label,
        label_uses.first_used_at,
        removals.removed_at,
        removals.vanished_count

    having count(*) = removals.vanished_count

    qualify row_number() over (
        partition by vanished.project, vanished.label
        order by bounded.label
    ) = 1

),

put_on as (

    select
        bounded.thread_id,
        bounded.label,
        case
            when bounded.basis = 'event' then bounded.stated_at
            when bounded.stated_before_at is not null then bounded.stated_before_at
            when old_name.thread_id is not null then renamed.renamed_at
            else threads.created_at
        end as put_on_at,
        case
            when (bounded.end_basis is distinct from 'row') then bounded.ended_at
            else least(
                coalesce(
                    vanished.nameless_at,
                    new_name.renamed_at,
                    removals.removed_at,
                    vanished.fetched_at
                ),
                bounded.next_put_on_at
            )
        end as taken_off_at,
        case
            when
                bounded.basis = 'row'
                and bounded.stated_before_at is null
                and old_name.thread_id is not null
                then 'renamed'
            else bounded.basis
        end as basis,
        bounded.event_sequence

    from bounded

    inner join threads
        on bounded.thread_id = threads.thread_id

    left join vanished
        on
            bounded.thread_id = vanished.thread_id
            and bounded.label = vanished.label
            and bounded.stated_at = vanished.stated_at

    left join removals
        on
            vanished.project = removals.project
            and vanished.label = removals.label

    left join renamed as new_name
        on
            vanished.project = new_name.project
            and vanished.label = new_name.label

    left join renamed
        on
            threads.project = renamed.project
            and bounded.label = renamed.renamed_to

    left join vanished as old_name
        on
            bounded.thread_id = old_name.thread_id
            and renamed.label = old_name.label

    where bounded.is_on

),

-- Taken off without having been put on: it was on since what was known before.
inferred as (

    select
        followed.thread_id,
        followed.label,
        coalesce(followed.stated_before_at, threads.created_at) as put_on_at,
        followed.stated_at as taken_off_at,
        'inferred' as basis,
        null as event_sequence

    from followed

    inner join threads
        on followed.thread_id = threads.thread_id

    where
        followed.basis = 'event'
        and not followed.is_on
        and not followed.was_on

),

-- More were taken off without a name than are missing: some were on before all events
-- that we know.
lost as (

    select
        nameless.thread_id,
        cast(null as varchar) as label,
        threads.created_at as put_on_at,
        nameless.occurred_at as taken_off_at,
        'lost' as basis,
        null as event_sequence

    from nameless

    inner join threads
        on nameless.thread_id = threads.thread_id

    left join vanished
        on
            nameless.thread_id = vanished.thread_id
            and nameless.occurred_at = vanished.nameless_at

    group by nameless.thread_id, threads.created_at, nameless.occurred_at

    having count(distinct vanished.label) = 0

),

stacked as (

    select * from put_on

    union all

    select * from inferred

    union all

    select * from lost

),

described as (

    select
        stacked.thread_id,
        threads.project,
        threads.kind,
        threads.number,
        stacked.label,
        stacked.basis,
        stacked.event_sequence as put_on_sequence,
        stacked.put_on_at,
        stacked.taken_off_at

    from stacked

    inner join threads
        on stacked.thread_id = threads.thread_id

    where coalesce(stacked.put_on_at < stacked.taken_off_at, true)

)

select * from described
