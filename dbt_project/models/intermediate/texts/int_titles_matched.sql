{{ config(materialized='table') }}

with

titles as (

    select * from {{ ref('int_titles_parted') }}

),

words as (

    select
        'topic' as vocabulary,
        rule_id,
        topic as meaning,
        match_kind,
        term

    from {{ ref('topic_terms') }}

    union all

    select
        'change' as vocabulary,
        rule_id,
        change_kind as meaning,
        match_kind,
        term

    from {{ ref('change_words') }}

    union all

    select
        'severity' as vocabulary,
        rule_id,
        severity as meaning,
        match_kind,
        term

    from {{ ref('severity_words') }}

    union all

    select
        'proposal' as vocabulary,
        rule_id,
        reason as meaning,
        match_kind,
        term

    from {{ ref('proposal_words') }}

),

pieces as (

    select
        {
            'title': title,
            'part': 'prefix'
        } as piece,
        prefix as text

    from titles

    union all

    select
        {
            'title': title,
            'part': 'wording'
        } as piece,
        wording as text

    from titles

),

fragments as (

    select *

    from words

    where match_kind = 'fragment'

),

words_found as (
{{ words_matched('pieces', 'piece', 'text', 'words', [
    'vocabulary', 'rule_id', 'meaning'
]) }}
),

-- Scripts without spaces have no whole words to look up.
fragments_found as (

    select
        pieces.piece,
        fragments.vocabulary,
        fragments.rule_id,
        fragments.meaning,
        fragments.term as matched

    from pieces

    inner join fragments
        on contains(pieces.text, fragments.term)

),

matched as (

    select
        struct_extract(piece, 'title') as title,
        struct_extract(piece, 'part') as part,
        vocabulary,
        rule_id,
        meaning,
        matched

    from words_found

    union all

    select
        struct_extract(piece, 'title') as title,
        struct_extract(piece, 'part') as part,
        vocabulary,
        rule_id,
        meaning,
        matched

    from fragments_found

)

select * from matched
