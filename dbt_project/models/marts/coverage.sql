with

coverage as (

    select * from {{ ref('stg_pipelines__coverage') }}

)

select
    project,
    stream,
    covered_from,
    covered_until,
    loaded_at

from coverage
