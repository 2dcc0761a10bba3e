select
    repository || '#' || number as thread_id,
    repository,
    {{ known_person('merged_by_id', 'merged_by_login') }} as merged_by_id,
    additions,
    deletions,
    changed_files as changed_file_count,
    commits as commit_count,
    fetched_at

from {{ source('github', 'pull_details') }}
