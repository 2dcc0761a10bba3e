with

matches as (

    select * from {{ ref('int_term_matches') }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

)

select
    matches.thread_id,
    matches.text_id,
    matches.rule_id,
    words.ecosystem,
    words.strength,
    matches.matched

from matches

inner join words
    on matches.rule_id = words.rule_id

where
    matches.vocabulary = 'ecosystem'
    and matches.signal in ('body', 'comment')
