{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

reviews as (

    select * from {{ ref('reviews') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

maintainer_acts as (

    select * from {{ ref('maintainer_acts') }}

),

-- The same person is a member on one row and a contributor on another: it depends on
-- the endpoint, on the moment, and on whose token read the row.
seen as (

    select
        project,
        author_id as person_id,
        author_association

    from threads

    union all

    select
        project,
        author_id as person_id,
        author_association

    from comments

    union all

    select
        project,
        author_id as person_id,
        author_association

    from reviews

),

strongest as (

    select
        seen.project,
        seen.person_id,
        arg_max(seen.author_association, associations.strength)
            as strongest_association,
        coalesce(bool_or(associations.is_maintainer), false) as is_by_association

    from seen

    left join associations
        on seen.author_association = associations.author_association

    group by seen.project, seen.person_id

),

acted as (

    select distinct
        thread_events.project,
        thread_events.actor_id as person_id

    from thread_events

    semi join maintainer_acts
        on thread_events.event = maintainer_acts.event

    inner join threads
        on thread_events.thread_id = threads.thread_id

    where thread_events.actor_id is distinct from threads.author_id

),

stacked as (

    select
        project,
        person_id,
        strongest_association,
        is_by_association,
        false as is_by_acts

    from strongest

    union all

    select
        project,
        person_id,
        null as strongest_association,
        false as is_by_association,
        true as is_by_acts

    from acted

),

judged as (

    select
        stacked.project,
        stacked.person_id,
        bool_or(stacked.is_by_association or stacked.is_by_acts) as is_maintainer,
        case
            when bool_or(stacked.is_by_association) then 'association'
            when bool_or(stacked.is_by_acts) then 'acts'
        end as maintainer_basis,
        any_value(stacked.strongest_association) as strongest_association

    from stacked

    -- Ghosts have no identity, and what a bot does was set up by somebody else.
    inner join people
        on stacked.person_id = people.person_id

    where not people.is_bot

    group by stacked.project, stacked.person_id

)

select * from judged
