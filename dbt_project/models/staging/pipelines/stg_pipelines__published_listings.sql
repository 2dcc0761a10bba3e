select * from {{ source('pipelines', 'published_listings') }}
