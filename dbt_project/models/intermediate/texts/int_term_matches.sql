{{ config(materialized='incremental', unique_key='text_id') }}

with

texts as (

    select * from {{ ref('int_texts_cleaned') }}
    {{ of_texts_to_build() }}

),

changed_files as (

    select * from {{ ref('changed_files') }}

),

vocabularies as (

    select * from {{ ref('vocabularies') }}

),

ecosystem_words as (

    select * from {{ ref('ecosystem_words') }}

),

topic_terms as (

    select * from {{ ref('topic_terms') }}

),

change_words as (

    select * from {{ ref('change_words') }}

),

severity_words as (

    select * from {{ ref('severity_words') }}

),

proposal_words as (

    select * from {{ ref('proposal_words') }}

),

affected_words as (

    select * from {{ ref('affected_words') }}

),

listed as (

    select
        'ecosystem' as vocabulary,
        rule_id,
        ecosystem as meaning,
        'anywhere' as place,
        match_kind,
        term,
        voids

    from ecosystem_words

    union all

    select
        'topic' as vocabulary,
        rule_id,
        topic as meaning,
        'anywhere' as place,
        match_kind,
        term,
        null as voids

    from topic_terms

    union all

    select
        'change' as vocabulary,
        rule_id,
        change_kind as meaning,
        signal as place,
        match_kind,
        term,
        null as voids

    from change_words

    union all

    select
        'severity' as vocabulary,
        rule_id,
        severity as meaning,
        place,
        match_kind,
        term,
        null as voids

    from severity_words

    union all

    select
        'proposal' as vocabulary,
        rule_id,
        reason as meaning,
        signal as place,
        match_kind,
        term,
        null as voids

    from proposal_words

    union all

    select
        'affected' as vocabulary,
        rule_id,
        meaning,
        'anywhere' as place,
        match_kind,
        term,
        null as voids

    from affected_words

),

-- A label is looked up by its name and not in a text.
terms as (

    select
        listed.*,
        vocabularies.signal,
        {{ words_of('lower(listed.term)') }} as term_words,
        term_words[1] as first_word,
        len(term_words) as term_word_count

    from listed

    inner join vocabularies
        on
            listed.vocabulary = vocabularies.vocabulary
            and (
                listed.place in ('anywhere', vocabularies.signal)
                or (
                    vocabularies.signal = 'title'
                    and listed.place in ('prefix', 'wording')
                )
            )

    where listed.match_kind != 'label'

),

-- Cutting texts twice is quicker than keeping all their words.
stacked as not materialized (

    select
        text_id,
        thread_id,
        signal,
        title,
        len({{ words_of("coalesce(prefix, '')") }}) as prefix_word_count,
        {{ words_of('cleaned_text') }} as words

    from texts

    union all

    select distinct
        thread_id || ':' || path as text_id,
        thread_id,
        'path' as signal,
        cast(null as varchar) as title,
        0 as prefix_word_count,
        {{ words_of('path') }} as words

    from changed_files

),

spread as not materialized (

    select
        *,
        unnest(words) as word,
        generate_subscripts(words, 1) as position

    from stacked

),

-- A term's first word picks the few places that are worth a closer look.
phrases_found as (

    select
        spread.* exclude (word, words),  -- noqa: RF02
        terms.vocabulary,
        terms.rule_id,
        terms.meaning,
        terms.place,
        terms.term,
        terms.voids,
        list_slice(
            spread.words,
            spread.position,
            spread.position + terms.term_word_count - 1
        ) as found_words

    from spread

    inner join terms
        on
            lower(spread.word) = terms.first_word
            and spread.signal = terms.signal

    where
        terms.match_kind != 'numbered'
        and (
            terms.term_word_count = 1
            or lower(array_to_string(found_words, ' '))
            = array_to_string(terms.term_words, ' ')
        )
        and (
            terms.match_kind != 'cased_word'
            or array_to_string(found_words, ' ')
            = array_to_string({{ words_of('terms.term') }}, ' ')
        )

),

-- mi300x and gfx90a are numbers of a family; m1 and h2 are not.
numbers_found as (

    select
        spread.* exclude (word, words),  -- noqa: RF02
        terms.vocabulary,
        terms.rule_id,
        terms.meaning,
        terms.place,
        terms.term,
        terms.voids,
        [spread.word] as found_words

    from spread

    inner join terms
        on
            starts_with(lower(spread.word), terms.term)
            and spread.signal = terms.signal

    where
        terms.match_kind = 'numbered'
        and regexp_full_match(
            substring(lower(spread.word), length(terms.term) + 1),
            '[0-9]{3,4}[a-z]?|[0-9]{2}[a-z]'
        )

),

found as (

    select
        *,
        case
            when signal = 'title'
                then if(position <= prefix_word_count, 'prefix', 'wording')
        end as part

    from (
        select * from phrases_found
        union all
        select * from numbers_found
    )

    where
        place not in ('prefix', 'wording')
        or place = if(position <= prefix_word_count, 'prefix', 'wording')

),

-- A maker's name says nothing beside its host processor's: a word may void another.
voided as (

    select distinct
        voiding.text_id,
        voiding.vocabulary,
        voided.rule_id,
        voided.position

    from found as voiding

    inner join found as voided
        on
            voiding.text_id = voided.text_id
            and voiding.vocabulary = voided.vocabulary
            and voiding.voids = voided.term

    where
        voiding.voids is not null
        and abs(voiding.position - voided.position) <= 2

),

valid as (

    select found.*

    from found

    anti join voided
        on
            found.text_id = voided.text_id
            and found.vocabulary = voided.vocabulary
            and found.rule_id = voided.rule_id
            and found.position = voided.position

),

matched as (

    select
        text_id,
        thread_id,
        signal,
        title,
        vocabulary,
        rule_id,
        meaning,
        arg_min(part, position) as part,
        min(position) as position,
        -- Letters that need no spaces have none between them.
        regexp_replace(
            arg_min(array_to_string(found_words, ' '), position),
            '(\p{Lo}) ',
            '\1',
            'g'
        ) as matched

    from valid

    group by
        text_id,
        thread_id,
        signal,
        title,
        vocabulary,
        rule_id,
        meaning

)

select * from matched
