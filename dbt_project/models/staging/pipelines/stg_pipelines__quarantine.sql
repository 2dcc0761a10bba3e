select * from {{ source('pipelines', 'quarantine') }}
