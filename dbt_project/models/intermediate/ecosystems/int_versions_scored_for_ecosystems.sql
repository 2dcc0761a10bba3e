{{ config(materialized='table') }}

with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

evidence as (

    select * from {{ ref('int_ecosystem_evidence_gathered') }}

),

-- A rule counts once, by its strongest row: a word in title and body is one word.
strongest as (

    select
        version_id,
        ecosystem,
        rule_id,
        max(strength) as strength,
        bool_and(signal = 'author') as is_author_rule

    from evidence

    group by version_id, ecosystem, rule_id

),

scored as (

    select
        version_id,
        ecosystem,
        1 - product(1 - strength) as score,
        coalesce(
            1 - product(1 - strength) filter (where not is_author_rule),
            0
        ) as score_without_author

    from strongest

    group by version_id, ecosystem

),

listed as (

    select
        version_id,
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

    group by version_id, ecosystem

),

joined as (

    select
        versions.version_id,
        versions.thread_id,
        versions.as_of_at,
        scored.ecosystem,
        -- Sums of tenths: a score that is the bar on paper must be the bar here.
        round(scored.score, 9) as score,
        round(scored.score, 9) >= {{ var('tag_bar') }} as is_tagged,
        round(scored.score, 9) >= {{ var('tag_bar') }}
        and round(scored.score_without_author, 9) < {{ var('tag_bar') }}
            as is_author_only,
        listed.evidence

    from versions

    inner join scored
        on versions.version_id = scored.version_id

    inner join listed
        on
            scored.version_id = listed.version_id
            and scored.ecosystem = listed.ecosystem

)

select * from joined
