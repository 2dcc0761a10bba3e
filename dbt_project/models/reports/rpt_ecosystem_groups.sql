{{ config(materialized='incremental') }}

with

tied as (

    select * from {{ ref('int_ecosystem_threads_tied') }}

),

themed as (

    select * from {{ ref('int_ecosystem_threads_themed') }}

),

-- A group goes by its foremost thread, whatever holds it together.
led as (

    select
        tied.window_id,
        tied.ecosystem,
        tied.position,
        tied.thread_id,
        case
            when tied.tied_count > 1 then 'links'
            else themed.basis
        end as basis,
        themed.theme,
        case
            when themed.theme is null then tied.lead_position
            else min(tied.position) over (
                partition by
                    tied.window_id,
                    tied.ecosystem,
                    themed.basis,
                    themed.theme
            )
        end as lead_position

    from tied

    left join themed
        on
            tied.window_id = themed.window_id
            and tied.ecosystem = themed.ecosystem
            and tied.position = themed.position

),

grouped as (

    select
        window_id,
        ecosystem,
        cast(dense_rank() over (
            partition by window_id, ecosystem
            order by lead_position
        ) as integer) as group_position,
        cast(row_number() over (
            partition by window_id, ecosystem, lead_position
            order by position
        ) as integer) as member_position,
        thread_id,
        basis,
        theme,
        position = lead_position as is_lead,
        count(*) over (
            partition by window_id, ecosystem, lead_position
        ) as member_count

    from led

)

select * from grouped
