select
    repository || '#' || number as thread_id,
    repository,
    filename as path,
    status,
    additions,
    deletions,
    fetched_at

from {{ source('github', 'changed_files') }}
