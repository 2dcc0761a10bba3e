-- A row is a rule that must not reach the bar alone and does.
with

words as (

    select * from {{ ref('ecosystem_words') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

people as (

    select * from {{ ref('ecosystem_people') }}

),

-- The strongest word, said only in comments.
commented as (

    select
        words.rule_id,
        words.strength * signals.factor as strength

    from words

    inner join signals
        on signals.signal = 'comment'

),

-- A person whose login does not say whose it is.
known as (

    select
        rule_id,
        strength

    from people

    where match_kind = 'login'

),

ambiguous as (

    select
        rule_id,
        strength

    from words

    where term in ('hip', 'roc', 'zen', 'ck', 'epyc')

),

stacked as (

    select * from commented

    union all

    select * from known

    union all

    select * from ambiguous

)

select *
from stacked
where strength >= {{ var('tag_bar') }}
