with

people as (

    select * from {{ ref('int_people_named') }}

),

rules as (

    select * from {{ ref('ecosystem_people') }}

),

affiliated as (

    select
        people.person_id,
        rules.rule_id,
        rules.ecosystem as affiliation,
        rules.source,
        rules.strength,
        rules.valid_from,
        rules.valid_until

    from people

    inner join rules
        on case rules.match_kind
            when 'login_part'
                then list_contains(
                    string_split_regex(lower(people.login), '[-_]'),
                    rules.login
                )
            else lower(people.login) = lower(rules.login)
        end

    where not people.is_bot

)

select * from affiliated
