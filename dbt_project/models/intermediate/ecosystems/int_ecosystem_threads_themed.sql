{{ config(materialized='table') }}

with

tied as (

    select * from {{ ref('int_ecosystem_threads_tied') }}

),

tagged as (

    select * from {{ ref('rpt_ecosystem_threads') }}

),

told as (

    select * from {{ ref('int_threads_told_by_topic') }}

),

topics as (

    select * from {{ ref('topics') }}

),

-- Other work by the ecosystem's people is told apart from the rest.
alone as (

    select
        tied.window_id,
        tied.ecosystem,
        tied.position,
        tied.thread_id,
        tagged.areas

    from tied

    inner join tagged
        on
            tied.window_id = tagged.window_id
            and tied.ecosystem = tagged.ecosystem
            and tied.position = tagged.position

    where
        tied.tied_count = 1
        and not tagged.is_author_only

),

-- A topic that is the ecosystem itself parts nothing.
themes as (

    select
        alone.window_id,
        alone.ecosystem,
        alone.position,
        if(told.is_in_title, 1, 2) as standing,
        'topic' as basis,
        told.topic as theme

    from alone

    inner join told
        on
            alone.window_id = told.window_id
            and alone.thread_id = told.thread_id

    inner join topics
        on told.topic = topics.topic

    where topics.ecosystem is distinct from alone.ecosystem

    union all

    select
        window_id,
        ecosystem,
        position,
        3 as standing,
        'area' as basis,
        unnest(areas) as theme

    from alone

),

-- What the title says goes before labels, and labels before files.
foremost as (

    select *

    from themes

    qualify standing = min(standing) over (
        partition by window_id, ecosystem, position
    )

),

shared as (

    select
        *,
        count(*) over (
            partition by window_id, ecosystem, basis, theme
        ) as thread_count

    from foremost

),

-- Few large groups read better than many small ones.
chosen as (

    select
        window_id,
        ecosystem,
        position,
        basis,
        theme

    from shared

    qualify row_number() over (
        partition by window_id, ecosystem, position
        order by thread_count desc, theme asc
    ) = 1

),

themed as (

    select *

    from chosen

    qualify count(*) over (
        partition by window_id, ecosystem, basis, theme
    ) > 1

)

select * from themed
