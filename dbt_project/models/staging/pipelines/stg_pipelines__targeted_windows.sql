select * from {{ source('pipelines', 'targeted_windows') }}
