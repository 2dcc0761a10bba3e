{{ config(materialized='incremental', unique_key='thread_id') }}

with

texts as (

    select * from {{ ref('int_texts_cleaned') }}
    {{ of_texts_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

bodies as (

    select
        texts.thread_id,
        texts.visible_text as body,
        {{ plain_text(full_width_folded('threads.title')) }} as title

    from texts

    inner join threads
        on texts.thread_id = threads.thread_id

    where texts.signal = 'body'

),

-- The part that says what the thread is for, else all of it but the headings.
purposes as (

    select
        thread_id,
        title,
        coalesce(
            nullif(trim(regexp_extract(
                body,
                '(?is)(?:^|\n)#+[^\n]*'
                || '(purpose|describe the bug|motivation|summary|description|overview'
                || '|your current issue|how would you like|目的|描述|概述)'
                || '[^\n]*\n(.*?)(?:\n#|\z)',
                2
            )), ''),
            regexp_replace(body, '(?m)^#+.*$', '', 'g')
        ) as purpose

    from bodies

),

flattened as (

    select
        thread_id,
        title,
        -- Which issue it closes is told by its links.
        trim(regexp_replace(
            {{ plain_text('purpose') }},
            '(?i)\b(fix(es|ed)?|close[sd]?|resolve[sd]?|part of)[ :]+'
            || '([a-z0-9._-]+/[a-z0-9._-]+)?#[0-9]+\b[.,;]?',
            '',
            'g'
        )) as purpose

    from purposes

),

-- Who only says the title again has said nothing yet.
untitled as (

    select
        thread_id,
        ltrim(
            case
                when starts_with(lower(purpose), lower(title))
                    then substring(purpose, length(title) + 1)
                else purpose
            end,
            ' .,:;!?-'
        ) as purpose

    from flattened

),

excerpted as (

    select
        thread_id,
        nullif(left(purpose, {{ var('purpose_characters') }}), '') as purpose,
        nullif({{ excerpted('purpose', var('excerpt_characters')) }}, '') as excerpt

    from untitled

)

select * from excerpted
