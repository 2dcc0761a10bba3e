select * from {{ source('pipelines', 'coverage') }}
