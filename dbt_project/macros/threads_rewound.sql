{#
    One row per moment (thread_id, as_of_at): the thread as it stood just before that
    instant, rebuilt from its current row by undoing what happened at or after it. Where
    the events since are not covered the current values are shown, and as_of_basis says
    so. A timeline that was read covers its thread's events up to then. An event in the
    very second of the instant belongs to what comes after. Events from beyond a gap in
    the coverage undo nothing: what came before them in the gap is not known.

    Labels stand in the order in which they were put on. Where a label stood in the list
    is lost once it is taken off, so the order rests on what came before the instant and
    on nothing else: it is the same however often the labels change afterwards.
#}
{% macro threads_rewound(moments, threads, thread_states, thread_events, coverage) %}
    with

    known as (

        select
            moments.thread_id,
            moments.as_of_at,
            threads.title,
            threads.labels,
            threads.is_draft,
            threads.state,
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
            ) as known_until

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
            thread_events.label,
            thread_events.title_before,
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
                'labeled',
                'unlabeled',
                'renamed',
                'convert_to_draft',
                'ready_for_review'
            )

    ),

    -- The first change after the instant tells what was there before it.
    labels_undone as (

        select
            thread_id,
            as_of_at,
            label,
            arg_min(event, (occurred_at, event_sequence)) as event

        from followed

        where
            event in ('labeled', 'unlabeled')
            and label is not null

        group by thread_id, as_of_at, label

    ),

    labels_parted as (

        select
            thread_id,
            as_of_at,
            list(label) filter (where event = 'labeled') as added_since,
            list(label) filter (where event = 'unlabeled') as removed_since

        from labels_undone

        group by thread_id, as_of_at

    ),

    labelings as (

        select
            thread_events.thread_id,
            list_reverse_sort(list({
                'occurred_at': thread_events.occurred_at,
                'event_sequence': thread_events.event_sequence,
                'label': thread_events.label
            })) as newest_first

        from {{ thread_events }} as thread_events

        semi join joined
            on thread_events.thread_id = joined.thread_id

        where
            thread_events.event = 'labeled'
            and thread_events.label is not null

        group by thread_events.thread_id

    ),

    relabelled as (

        select
            joined.*,
            list_concat(
                list_filter(
                    joined.labels,
                    lambda label: not list_contains(
                        coalesce(labels_parted.added_since, []),
                        label
                    )
                ),
                list_filter(
                    coalesce(labels_parted.removed_since, []),
                    lambda label: not list_contains(joined.labels, label)
                )
            ) as labels_then,
            case
                when joined.is_covered and len(labels_then) > 1
                    then list_transform(
                        list_filter(
                            coalesce(labelings.newest_first, []),
                            lambda labeling: labeling.occurred_at < joined.as_of_at
                        ),
                        lambda labeling: labeling.label
                    )
            end as newest_first

        from joined

        left join labels_parted
            on
                joined.thread_id = labels_parted.thread_id
                and joined.as_of_at = labels_parted.as_of_at

        left join labelings
            on joined.thread_id = labelings.thread_id

    ),

    -- Those of whose putting on nothing is known were there first, by name.
    ordered as (

        select
            * exclude (labels, labels_then, newest_first),
            case
                when newest_first is null then labels_then
                else list_transform(
                    list_sort(list_transform(
                        labels_then,
                        lambda label: {
                            'turn': coalesce(
                                -list_position(newest_first, label),
                                -1 - len(newest_first)
                            ),
                            'label': label
                        }
                    )),
                    lambda placed: placed.label
                )
            end as labels

        from relabelled

    ),

    others_undone as (

        select
            thread_id,
            as_of_at,
            arg_min(title_before, (occurred_at, event_sequence))
                filter (where event = 'renamed') as title_before,
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

    )

    select
        ordered.thread_id,
        ordered.as_of_at,
        coalesce(others_undone.title_before, ordered.title) as title,
        ordered.labels,
        coalesce(others_undone.was_draft, ordered.is_draft) as is_draft,
        coalesce(states_held.state, ordered.state) as state,
        case
            when ordered.is_covered
                then case states_held.state when 'closed' then states_held.started_at end
            else ordered.closed_at
        end as closed_at,
        case
            when not ordered.is_covered or ordered.merged_at < ordered.as_of_at
                then ordered.merged_at
        end as merged_at,
        case when ordered.is_covered then 'events' else 'current' end as as_of_basis

    from ordered

    left join others_undone
        on
            ordered.thread_id = others_undone.thread_id
            and ordered.as_of_at = others_undone.as_of_at

    left join states_held
        on
            ordered.thread_id = states_held.thread_id
            and ordered.as_of_at = states_held.as_of_at
{% endmacro %}
