select * from {{ source('pipelines', 'published_rules') }}
