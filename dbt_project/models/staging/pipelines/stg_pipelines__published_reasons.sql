select * from {{ source('pipelines', 'published_reasons') }}
