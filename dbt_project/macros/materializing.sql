{#
    How models become views and tables: by one statement each, in one transaction. dbt's
    own way makes them aside, renames twice and drops, for readers of other databases; here
    the file is locked while it is built, and who reads has the published copy.
#}

{% materialization view, adapter = 'duckdb' %}
    {%- set made = create_or_replace_view() -%}
    {%- do adapter.commit() -%}
    {{ return(made) }}
{% endmaterialization %}

{#- What dbt's create_or_replace_view asks for; DuckDB's adapter only creates. -#}
{% macro duckdb__create_view_as(relation, sql) %}
    create or replace view {{ relation }} as (
        {{ sql }}
    )
{% endmacro %}

{% materialization table, adapter = 'duckdb' %}
    {%- set before = load_cached_relation(this) -%}
    {%- set target = this.incorporate(type='table') -%}
    {{ run_hooks(pre_hooks) }}
    {%- set created = create_table_as(false, target, compiled_code) -%}
    {%- call statement('main') -%}
        {%- if before is not none %}
            drop {{ before.type }} {{ before }};
        {%- endif %}
        {{ created }}
    {%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {%- do adapter.commit() -%}
    {{ return({'relations': [target]}) }}
{% endmaterialization %}
