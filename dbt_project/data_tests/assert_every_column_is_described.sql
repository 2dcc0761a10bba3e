/*
A row is a column of a mart or report that its YAML does not describe, or one of any
model that is described and is not there.
*/
-- depends_on: {{ ref('rpt_provenance') }}
-- depends_on: {{ ref('rpt_headline_counts') }}
-- depends_on: {{ ref('rpt_listed_threads') }}
-- depends_on: {{ ref('rpt_ecosystem_threads') }}
-- depends_on: {{ ref('thread_ecosystems') }}
-- depends_on: {{ source('pipelines', 'syncs') }}
-- depends_on: {{ ref('rpt_summary') }}
-- depends_on: {{ ref('rpt_trend') }}
-- depends_on: {{ ref('rpt_notable_changes') }}
-- depends_on: {{ ref('rpt_watch_list') }}
-- depends_on: {{ ref('rpt_comment_hours') }}
-- depends_on: {{ ref('rpt_hot_thread_outcomes') }}
-- depends_on: {{ ref('rpt_front_page') }}
-- depends_on: {{ ref('rpt_restatements') }}
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

            select
                '{{ node.schema }}' as schema_name,
                '{{ node.name }}' as table_name,
                '{{ column.name }}' as column_name

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

stacked as (

    select
        true as is_described,
        described.*

    from described

    union all

    select
        false as is_described,
        present.*

    from present

)

select
    schema_name,
    table_name,
    column_name,
    bool_and(is_described) as is_absent
from stacked
group by schema_name, table_name, column_name
having
    count(*) != 2
    and (schema_name in ('marts', 'reports') or bool_and(is_described))
