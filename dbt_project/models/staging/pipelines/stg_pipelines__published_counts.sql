select * from {{ source('pipelines', 'published_counts') }}
