select
    project,
    row_key,
    repository || '#' || number as thread_id,
    case
        when kind in ('issue_comment', 'review_comment') then kind || ':' || row_key
    end as comment_id,
    kind,
    status,
    first_missed_at as missing_since_at

from {{ source('pipelines', 'vanishings') }}
