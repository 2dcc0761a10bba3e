with

changed_files as (

    select * from {{ ref('stg_github__changed_files') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

)

select
    changed_files.thread_id,
    projects.project,
    changed_files.path,
    changed_files.status,
    changed_files.additions,
    changed_files.deletions

from changed_files

inner join projects
    on lower(changed_files.repository) = lower(projects.repository)
