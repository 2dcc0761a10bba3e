{{ config(materialized='table') }}

with recursive

tagged as (

    select * from {{ ref('rpt_ecosystem_threads') }}
    {{ of_windows_to_build() }}

),

unnested as (

    select
        window_id,
        ecosystem,
        position,
        unnest(linked_threads) as link

    from tagged

),

links as (

    select
        window_id,
        ecosystem,
        position,
        struct_extract(link, 'thread_id') as linked_thread_id

    from unnested

),

-- A link is told from both ends already.
edges as (

    select
        links.window_id,
        links.ecosystem,
        links.position,
        tagged.position as linked_position

    from links

    inner join tagged
        on
            links.window_id = tagged.window_id
            and links.ecosystem = tagged.ecosystem
            and links.linked_thread_id = tagged.thread_id

),

reached as (

    select
        window_id,
        ecosystem,
        position,
        position as reached_position

    from tagged

    union

    select
        reached.window_id,
        reached.ecosystem,
        reached.position,
        edges.linked_position as reached_position

    from reached

    inner join edges
        on
            reached.window_id = edges.window_id
            and reached.ecosystem = edges.ecosystem
            and reached.reached_position = edges.position

),

-- What is tied goes by its foremost thread.
led as (

    select
        window_id,
        ecosystem,
        position,
        min(reached_position) as lead_position

    from reached

    group by window_id, ecosystem, position

),

counted as (

    select
        led.window_id,
        led.ecosystem,
        led.position,
        led.lead_position,
        tagged.thread_id,
        count(*) over (
            partition by led.window_id, led.ecosystem, led.lead_position
        ) as tied_count

    from led

    inner join tagged
        on
            led.window_id = tagged.window_id
            and led.ecosystem = tagged.ecosystem
            and led.position = tagged.position

)

select * from counted
