select
    project,
    project_title,
    repository,
    time_zone,
    window_start_offset,
    languages,
    spotlight_ecosystem,
    is_synthetic

from {{ ref('stg_pipelines__projects') }}
