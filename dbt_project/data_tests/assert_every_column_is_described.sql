/*
A row is a column of a model that its YAML does not describe, or one that is described
and is not there.
*/
-- depends_on: {{ ref('rpt_provenance') }}
-- depends_on: {{ ref('rpt_headline_counts') }}
-- depends_on: {{ ref('rpt_listed_threads') }}
-- depends_on: {{ ref('rpt_ecosystem_threads') }}
-- depends_on: {{ ref('rpt_hot_thread_comments') }}
-- depends_on: {{ ref('thread_ecosystems') }}
-- depends_on: {{ ref('stg_pipelines__syncs') }}
with

described as (

    select
        null as schema_name,
        null as table_name,
        null as column_name

    where false

    {% for node in graph.nodes.values() if node.resource_type == 'model' %}
        {% for column in node.columns.values() if column.description %}
            union all
            select '{{ node.schema }}', '{{ node.name }}', '{{ column.name }}'
        {% endfor %}
    {% endfor %}

),

present as (

    select
        table_schema as schema_name,
        table_name,
        column_name

    from information_schema.columns

    where
        table_catalog = current_database()
        and table_schema in ('staging', 'intermediate', 'marts', 'reports')

),

differing as (

    (select * from described except select * from present)

    union all

    (select * from present except select * from described)

)

select * from differing
