{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('threads') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

matches as (

    select * from {{ ref('int_term_matches') }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

labels as (

    select * from {{ ref('labels') }}

),

people as (

    select * from {{ ref('ecosystem_people') }}

),

changed_files as (

    select * from {{ ref('changed_files') }}

),

changed_threads as (

    select * from threads

),

-- Now has no instant.
states as (

    select
        thread_id,
        cast(null as timestamptz) as as_of_at,
        title,
        labels

    from changed_threads

    union all

    select distinct
        thread_id,
        as_of_at,
        title,
        labels

    from as_of_window_ends

    where is_active

),

labelled as (

    select
        thread_id,
        as_of_at,
        unnest(list_distinct(labels)) as label

    from states

),

-- A botched rebase collects component labels: the more of them, the less each says.
components_counted as (

    select
        labelled.thread_id,
        labelled.as_of_at,
        count(*) as component_count

    from labelled

    inner join labels
        on lower(labelled.label) = lower(labels.label)

    where labels.label_kind = 'component'

    group by labelled.thread_id, labelled.as_of_at

),

by_label as (

    select
        labelled.thread_id,
        labelled.as_of_at,
        words.ecosystem,
        words.rule_id,
        'label' as signal,
        labelled.label as matched,
        words.strength * least(
            1,
            {{ var('full_strength_component_labels') }}
            / coalesce(components_counted.component_count, 1)
        ) as strength

    from labelled

    inner join words
        on
            lower(labelled.label) = lower(words.term)
            and words.match_kind = 'label'

    left join components_counted
        on
            labelled.thread_id = components_counted.thread_id
            and labelled.as_of_at is not distinct from components_counted.as_of_at

),

by_author as (

    select
        states.thread_id,
        states.as_of_at,
        people.ecosystem,
        people.rule_id,
        'author' as signal,
        threads.author_login as matched,
        people.strength

    from threads

    inner join people
        on case people.match_kind
            when 'login_part'
                then list_contains(
                    string_split_regex(lower(threads.author_login), '[-_]'),
                    people.login
                )
            else lower(threads.author_login) = lower(people.login)
        end

    inner join states
        on threads.thread_id = states.thread_id

    where
        not threads.is_bot_author
        and coalesce(threads.created_at >= people.valid_from, true)
        and coalesce(threads.created_at < people.valid_until, true)

),

words_found as (

    select
        matches.thread_id,
        matches.text_id,
        matches.signal,
        matches.title,
        matches.rule_id,
        matches.matched,
        words.ecosystem,
        words.strength * signals.factor as strength

    from matches

    inner join words
        on matches.rule_id = words.rule_id

    inner join signals
        on matches.signal = signals.signal

    where matches.vocabulary = 'ecosystem'

),

-- GitHub keeps no older body: every state has the one of now.
by_title_or_body as (

    select
        states.thread_id,
        states.as_of_at,
        words_found.ecosystem,
        words_found.rule_id,
        words_found.signal,
        words_found.matched,
        words_found.strength

    from states

    inner join words_found
        on states.thread_id = words_found.thread_id

    where
        words_found.signal = 'body'
        or (
            words_found.signal = 'title'
            and states.title = words_found.title
        )

),

files_counted as (

    select
        thread_id,
        count(*) as file_count

    from changed_files

    group by thread_id

),

-- It also touches every path: the more files, the less each says.
by_path as (

    select
        states.thread_id,
        states.as_of_at,
        words_found.ecosystem,
        words_found.rule_id,
        'path' as signal,
        min(words_found.matched) as matched,
        max(words_found.strength) * least(
            1,
            {{ var('full_strength_changed_files') }}
            / any_value(files_counted.file_count)
        ) as strength

    from states

    inner join words_found
        on states.thread_id = words_found.thread_id

    inner join files_counted
        on states.thread_id = files_counted.thread_id

    where words_found.signal = 'path'

    group by
        states.thread_id,
        states.as_of_at,
        words_found.ecosystem,
        words_found.rule_id

),

-- All that comments say is one rule: twenty mentions are no more than one.
by_comment as (

    select
        states.thread_id,
        states.as_of_at,
        words_found.ecosystem,
        words_found.ecosystem || '-comments' as rule_id,
        'comment' as signal,
        min(words_found.matched) as matched,
        max(words_found.strength) as strength

    from states

    inner join words_found
        on states.thread_id = words_found.thread_id

    inner join comments
        on
            words_found.text_id = comments.comment_id
            and coalesce(states.as_of_at > comments.created_at, true)

    where words_found.signal = 'comment'

    group by
        states.thread_id,
        states.as_of_at,
        words_found.ecosystem,
        lower(words_found.matched)

),

stacked as (

    select * from by_label

    union all

    select * from by_author

    union all

    select * from by_title_or_body

    union all

    select * from by_path

    union all

    select * from by_comment

)

select * from stacked
