select * from {{ source('pipelines', 'timelines') }}
