select * from {{ source('pipelines', 'window_requests') }}
