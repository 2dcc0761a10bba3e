{{ config(materialized='table') }}

with

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

titles as (

    select * from {{ ref('int_titles_matched') }}

),

words as (

    select * from {{ ref('change_words') }}

),

kinds as (

    select * from {{ ref('change_kinds') }}

),

changes as (

    select
        active.window_id,
        active.thread_id,
        as_of_window_ends.title,
        as_of_window_ends.labels

    from active

    inner join as_of_window_ends
        on
            active.window_id = as_of_window_ends.window_id
            and active.thread_id = as_of_window_ends.thread_id

    -- What was given up again is no change.
    where
        list_has_any(active.listings, ['new_pr', 'merged_pr'])
        and as_of_window_ends.status != 'closed'

),

labelled as (

    select
        window_id,
        thread_id,
        unnest(list_distinct(labels)) as label

    from changes

),

named as (

    select
        changes.window_id,
        changes.thread_id,
        words.change_kind,
        words.signal,
        words.rule_id,
        titles.matched

    from changes

    inner join titles
        on changes.title = titles.title

    inner join words
        on
            titles.rule_id = words.rule_id
            and words.signal in ('anywhere', titles.part)

    where titles.vocabulary = 'change'

    union all

    select
        labelled.window_id,
        labelled.thread_id,
        words.change_kind,
        words.signal,
        words.rule_id,
        labelled.label as matched

    from labelled

    inner join words
        on lower(labelled.label) = lower(words.term)

    where words.signal = 'label'

),

-- The clearest signal decides, and of what it names the least.
decided as (

    select named.*

    from named

    inner join kinds
        on named.change_kind = kinds.change_kind

    qualify row_number() over (
        partition by named.window_id, named.thread_id
        order by
            list_position(['anywhere', 'prefix', 'wording', 'label'], named.signal),
            kinds.precedence,
            named.rule_id,
            named.matched
    ) = 1

),

kinded as (

    select
        changes.window_id,
        changes.thread_id,
        kinds.change_kind,
        kinds.weight,
        kinds.is_revert,
        kinds.is_minor,
        decided.signal,
        decided.matched

    from changes

    left join decided
        on
            changes.window_id = decided.window_id
            and changes.thread_id = decided.thread_id

    inner join kinds
        on coalesce(decided.change_kind, 'other') = kinds.change_kind

)

select * from kinded
