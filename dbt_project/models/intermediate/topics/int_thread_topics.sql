{{ config(materialized='table') }}

with

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

matches as (

    select * from {{ ref('int_term_matches') }}

),

terms as (

    select * from {{ ref('topic_terms') }}

),

labels as (

    select * from {{ ref('labels') }}

),

described as (

    select
        thread_windows.window_id,
        thread_windows.thread_id,
        as_of_window_ends.title,
        list_distinct(as_of_window_ends.labels) as labels

    from thread_windows

    inner join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    where thread_windows.is_active

),

labelled as (

    select
        window_id,
        thread_id,
        unnest(labels) as label

    from described

),

-- Labels set by path say nothing where there are many of them.
crowded as (

    select
        labelled.window_id,
        labelled.thread_id

    from labelled

    inner join labels
        on lower(labelled.label) = lower(labels.label)

    where labels.label_kind = 'component'

    group by labelled.window_id, labelled.thread_id

    having count(*) > {{ var('full_strength_component_labels') }}

),

named as (

    select
        described.window_id,
        described.thread_id,
        matches.meaning as topic,
        matches.matched,
        matches.position as title_position

    from described

    inner join matches
        on
            described.thread_id = matches.thread_id
            and described.title = matches.title

    where
        matches.vocabulary = 'topic'
        and matches.signal = 'title'

    union all

    select
        labelled.window_id,
        labelled.thread_id,
        terms.topic,
        labelled.label as matched,
        null as title_position

    from labelled

    inner join terms
        on lower(labelled.label) = lower(terms.term)

    anti join crowded
        on
            labelled.window_id = crowded.window_id
            and labelled.thread_id = crowded.thread_id

    where terms.match_kind = 'label'

),

gathered as (

    select
        window_id,
        thread_id,
        topic,
        list_sort(list_distinct(list(matched))) as matched,
        min(title_position) as title_position

    from named

    group by window_id, thread_id, topic

),

positioned as (

    select
        window_id,
        thread_id,
        topic,
        matched,
        title_position is not null as is_in_title,
        cast(row_number() over (
            partition by window_id, thread_id
            order by title_position asc nulls last, topic asc
        ) as integer) as position

    from gathered

)

select * from positioned
