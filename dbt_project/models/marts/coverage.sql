with

coverage as (

    select * from {{ source('pipelines', 'coverage') }}

)

select
    project,
    stream,
    covered_from,
    covered_until,
    loaded_at

from coverage
