{#
    One row per moment (thread_id, as_of_at): the thread as it stood just before that
    instant. State and labels are those of the interval of thread_states and thread_labels
    that holds then; title and draft flag are the current row's with what happened at or
    after the instant undone. Where the events since are not covered the current values
    are shown, and as_of_basis says so. A timeline that was read covers its thread's events
    up to then. An event in the very second of the instant belongs to what comes after.
    Events from beyond a gap in the coverage undo nothing: what came before them in the
    gap is not known.

    Labels stand in the order in which they were put on. Where a label stood in the list
    is lost once it is taken off, so the order rests on what came before the instant and
    on nothing else: it is the same however often the labels change afterwards.
#}
{% macro threads_as_of(
    moments, threads, thread_states, thread_labels, thread_events, coverage
) %}
    with

    known as (

        select
            moments.thread_id,
            moments.as_of_at,
            threads.title,
            threads.labels,
            threads.is_draft,
            threads.state,
            threads.state_reason,
            threads.closed_at,
            threads.merged_at,
            greatest(
                case
                    when threads.timeline_read_at >= threads.fetched_at
                        then threads.timeline_read_at
                end,
                (
                    select max(coverage.covered_until)
                    from {{ coverage }} as coverage
                    where
                        coverage.project = threads.project
                        and coverage.stream = 'issue_events'
                        and coverage.covered_from
                        <= greatest(moments.as_of_at, threads.timeline_read_at)
                        and coverage.covered_until >= threads.fetched_at
                )
            ) as known_until,
            coalesce(threads.timeline_read_at >= moments.as_of_at, false)
            or exists (
                select 1
                from {{ coverage }} as coverage
                where
                    coverage.project = threads.project
                    and coverage.stream = 'issue_events'
                    and coverage.covered_from
                    <= greatest(threads.created_at, threads.timeline_read_at)
                    and coverage.covered_until >= moments.as_of_at
            ) as is_known_from_creation

        from {{ moments }} as moments

        inner join {{ threads }} as threads
            on moments.thread_id = threads.thread_id

    ),

    joined as (

        select
            *,
            known_until is not null as is_covered

        from known

    ),

    followed as (

        select
            joined.thread_id,
            joined.as_of_at,
            thread_events.event,
            thread_events.rename_from,
            thread_events.occurred_at,
            thread_events.event_sequence

        from joined

        inner join {{ thread_events }} as thread_events
            on
                joined.thread_id = thread_events.thread_id
                and joined.as_of_at <= thread_events.occurred_at
                and joined.known_until >= thread_events.occurred_at

        where
            thread_events.event in (
                'renamed',
                'convert_to_draft',
                'ready_for_review'
            )

    ),

    -- Those of whose putting on nothing is known were there first, by name.
    labels_held as (

        select
            joined.thread_id,
            joined.as_of_at,
            list_transform(
                list_sort(
                    list({
                        'put_on_at': case
                            when thread_labels.basis = 'event'
                                then thread_labels.put_on_at
                            else timestamptz '-infinity'
                        end,
                        'sequence': coalesce(thread_labels.put_on_sequence, 0),
                        'label': thread_labels.label
                    }) filter (where thread_labels.label is not null)
                ),
                lambda one: one.label
            ) as labels,
            bool_or(thread_labels.label is null) as is_one_lost

        from joined

        inner join {{ thread_labels }} as thread_labels
            on
                joined.thread_id = thread_labels.thread_id
                and joined.as_of_at > thread_labels.put_on_at
                and coalesce(joined.as_of_at <= thread_labels.taken_off_at, true)

        where joined.is_covered

        group by joined.thread_id, joined.as_of_at

    ),

    others_undone as (

        select
            thread_id,
            as_of_at,
            arg_min(rename_from, (occurred_at, event_sequence))
                filter (where event = 'renamed') as rename_from,
            arg_min(event = 'ready_for_review', (occurred_at, event_sequence))
                filter (where event in ('convert_to_draft', 'ready_for_review'))
                as was_draft

        from followed

        group by thread_id, as_of_at

    ),

    states_held as (

        select
            joined.thread_id,
            joined.as_of_at,
            thread_states.state,
            thread_states.started_at

        from joined

        inner join {{ thread_states }} as thread_states
            on
                joined.thread_id = thread_states.thread_id
                and joined.as_of_at > thread_states.started_at
                and coalesce(joined.as_of_at <= thread_states.ended_at, true)

        where joined.is_covered

    ),

    reasons_held as (

        select
            joined.thread_id,
            joined.as_of_at,
            arg_max_null(
                case thread_events.event
                    when 'reopened' then 'reopened'
                    else thread_events.state_reason
                end,
                (thread_events.occurred_at, thread_events.event_sequence)
            ) filter (where joined.as_of_at > thread_events.occurred_at)
                as state_reason,
            bool_or(joined.as_of_at <= thread_events.occurred_at) as is_changed_since

        from joined

        inner join {{ thread_events }} as thread_events
            on joined.thread_id = thread_events.thread_id

        where
            joined.is_covered
            and thread_events.event in ('closed', 'reopened')

        group by joined.thread_id, joined.as_of_at

    )

    select
        joined.thread_id,
        joined.as_of_at,
        coalesce(others_undone.rename_from, joined.title) as title,
        case
            when joined.is_covered then coalesce(labels_held.labels, [])
            else joined.labels
        end as labels,
        coalesce(others_undone.was_draft, joined.is_draft) as is_draft,
        coalesce(states_held.state, joined.state) as state,
        case
            when reasons_held.is_changed_since then reasons_held.state_reason
            else joined.state_reason
        end as state_reason,
        case
            when joined.is_covered
                then case states_held.state when 'closed' then states_held.started_at end
            else joined.closed_at
        end as closed_at,
        case
            when not joined.is_covered or joined.merged_at < joined.as_of_at
                then joined.merged_at
        end as merged_at,
        case
            when joined.is_covered and not coalesce(labels_held.is_one_lost, false)
                then 'events'
            else 'current'
        end as as_of_basis,
        case
            when not joined.is_covered or coalesce(labels_held.is_one_lost, false)
                then 'current'
            when joined.is_known_from_creation then 'events'
            else 'row'
        end as labels_basis

    from joined

    left join labels_held
        on
            joined.thread_id = labels_held.thread_id
            and joined.as_of_at = labels_held.as_of_at

    left join others_undone
        on
            joined.thread_id = others_undone.thread_id
            and joined.as_of_at = others_undone.as_of_at

    left join states_held
        on
            joined.thread_id = states_held.thread_id
            and joined.as_of_at = states_held.as_of_at

    left join reasons_held
        on
            joined.thread_id = reasons_held.thread_id
            and joined.as_of_at = reasons_held.as_of_at
{% endmacro %}
