with

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

active as (

    select * from {{ ref('int_threads_active_in_windows') }}

),

severity_words as (

    select * from {{ ref('severity_words') }}

),

words as (

    select
        rule_id,
        severity,
        match_kind,
        term

    from severity_words

    -- Everyday words mean something in a title only.
    where place = 'anywhere'

),

-- A body's beginning says what hurts; what follows may quote a whole log.
bodies as (

    select
        texts.thread_id,
        left(texts.cleaned_text, {{ var('severity_characters') }}) as text

    from texts

    semi join active
        on texts.thread_id = active.thread_id

    where texts.signal = 'body'

),

matched as (
{{ words_matched(
    'bodies', 'thread_id', 'text', 'words', ['rule_id', 'severity']
) }}
)

select * from matched
