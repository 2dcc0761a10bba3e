with

evidence as (

    select * from {{ ref('int_ecosystem_evidence') }}

),

-- A rule counts once, by its strongest row: a word in title and body is one word.
rules_fired as (

    select
        thread_id,
        as_of_at,
        ecosystem,
        rule_id,
        max(strength) as strength,
        bool_and(signal = 'author') as is_author_rule

    from evidence

    group by thread_id, as_of_at, ecosystem, rule_id

),

-- Products of tenths: a score that is the bar on paper must be the bar here.
scored as (

    select
        thread_id,
        as_of_at,
        ecosystem,
        round(1 - product(1 - strength), 9) as score,
        round(
            coalesce(1 - product(1 - strength) filter (where not is_author_rule), 0),
            9
        ) as score_without_author

    from rules_fired

    group by thread_id, as_of_at, ecosystem

),

listed as (

    select
        thread_id,
        as_of_at,
        ecosystem,
        {{ listed_in_order(
            "{
                'rule_id': rule_id,
                'signal': signal,
                'matched': matched,
                'strength': strength
            }",
            ['-strength', 'rule_id', 'signal', 'matched']
        ) }} as evidence

    from evidence

    group by thread_id, as_of_at, ecosystem

),

judged as (

    select
        scored.thread_id,
        scored.as_of_at,
        scored.ecosystem,
        scored.score,
        scored.score >= {{ var('tag_bar') }} as is_tagged,
        scored.score >= {{ var('tag_bar') }}
        and scored.score_without_author < {{ var('tag_bar') }} as is_author_only,
        listed.evidence

    from scored

    inner join listed
        on
            scored.thread_id = listed.thread_id
            and scored.as_of_at is not distinct from listed.as_of_at
            and scored.ecosystem = listed.ecosystem

)

select * from judged
