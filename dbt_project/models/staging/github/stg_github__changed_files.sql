select
    repository || '#' || number as thread_id,
    repository,
    filename as path,
    status as change,
    additions,
    deletions,
    fetched_at

from {{ source('github', 'changed_files') }}
