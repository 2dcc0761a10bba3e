select
    project,
    title as project_title,
    repository,
    time_zone,
    cast(window_start || ':00' as interval) as window_start_offset,
    languages,
    spotlight_ecosystem,
    is_synthetic

from {{ source('pipelines', 'projects') }}
