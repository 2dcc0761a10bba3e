{{ config(materialized='table') }}

with

scored as (

    select * from {{ ref('int_ecosystem_scores') }}

)

select
    thread_id,
    ecosystem,
    score,
    is_tagged,
    is_author_only,
    evidence

from scored

where as_of_at is null
