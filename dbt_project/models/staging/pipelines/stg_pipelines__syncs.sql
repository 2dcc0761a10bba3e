select * from {{ source('pipelines', 'syncs') }}
