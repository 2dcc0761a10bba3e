with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

rules as (

    select * from {{ ref('ecosystem_labels') }}

),

labels as (

    select * from {{ ref('labels') }}

),

spread as (

    select
        version_id,
        unnest(list_distinct(labels)) as label

    from versions

),

-- A botched rebase collects component labels: the more of them, the less each says.
weighed as (

    select
        spread.version_id,
        count(*) filter (where labels.label_kind = 'component') as component_count

    from spread

    left join labels
        on lower(spread.label) = lower(labels.label)

    group by spread.version_id

),

matched as (

    select
        spread.version_id,
        rules.ecosystem,
        rules.rule_id,
        'label' as signal,
        spread.label as matched,
        rules.strength * least(
            1,
            {{ var('full_strength_component_labels') }}
            / greatest(weighed.component_count, 1)
        ) as strength

    from spread

    inner join rules
        on lower(spread.label) = lower(rules.label)

    inner join weighed
        on spread.version_id = weighed.version_id

)

select * from matched
