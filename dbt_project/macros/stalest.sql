{#
    What source freshness asks: the oldest of the watched projects' newest instants, by
    the server's clock. A project that was never loaded is not waited for; a synthetic one
    has no present, so it is as fresh as the run that asks. Null, which dbt takes for
    stale, where nothing was ever loaded.
#}
{% macro stalest(bookkeeping, instant, stream=none) %}
    select min(newest.loaded_at) as loaded_at
    from (
        select
            projects.project,
            case
                when projects.is_synthetic then timestamptz '{{ run_started_at }}'
                else max(loads.{{ instant }})
            end as loaded_at
        from {{ source('pipelines', 'projects') }} as projects
        inner join {{ source('pipelines', bookkeeping) }} as loads
            on projects.project = loads.project
        {%- if stream %}
        where loads.stream = '{{ stream }}'
        {%- endif %}
        group by projects.project, projects.is_synthetic
    ) as newest
{% endmacro %}
