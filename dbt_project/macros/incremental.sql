{#
    A window that is complete stands. `builds.finished_windows` holds the windows that the last
    finished build left, each with what its numbers rest on; int_window_builds names those
    that are to be computed all the same and takes them out of it. So whatever is not in
    builds.finished_windows is what this build computes, and a build that was killed is made good by
    the next one.
#}

{#- After an import: of these rows only those of windows that this build computes. -#}
{% macro of_windows_to_build() -%}
    {%- set decided = built_before('int_window_builds') -%}
    {%- if model.resource_type != 'unit_test' -%}
        where window_id not in (
            select finished.window_id from builds.finished_windows as finished
        )
    {%- endif -%}
{%- endmacro %}

{#- A model named for its build order; a unit test need not give it as an input. -#}
{% macro built_before(name) %}
    {%- if model.resource_type != 'unit_test' -%}
        {{ return(ref(name)) }}
    {%- endif -%}
{% endmacro %}

{#- is_incremental(), for a model whose unit tests know nothing of it. -#}
{% macro windows_stand() %}
    {{ return(model.resource_type != 'unit_test' and is_incremental()) }}
{% endmacro %}

{#
    Before an incremental table of windows is filled, in the same transaction: delete what
    is computed anew. dbt's own delete+insert deletes the windows that it inserts, so one
    that has no rows any more would keep its old ones.
#}
{% macro delete_windows_to_build() %}
    {%- if config.get('unique_key') == 'window_id' and is_incremental() -%}
        delete from {{ this }}
        where window_id not in (select window_id from builds.finished_windows)
    {%- endif -%}
{% endmacro %}

{#- After int_window_builds: what is to be computed stands no more. -#}
{% macro forget_windows_to_build() %}
    delete from builds.finished_windows
    where window_id not in (select window_id from {{ this }} where reason is null)
{% endmacro %}

{#- dbt asks here whether an incremental table is made anew: if no window stands. -#}
{% macro should_full_refresh() %}
    {%- if config.get('full_refresh') is not none -%}
        {{ return(config.get('full_refresh')) }}
    {%- endif -%}
    {%- if flags.FULL_REFRESH or flags.WHICH not in ('build', 'run') -%}
        {{ return(flags.FULL_REFRESH) }}
    {%- endif -%}
    {{ return(run_query('select count(*) from builds.finished_windows').rows[0][0] == 0) }}
{% endmacro %}

{#- Of which rules this build is; null in a unit test. -#}
{% macro rules_of_this_build() %}
    {%- if model.resource_type == 'unit_test' -%}
        cast(null as varchar)
    {%- else -%}
        (select rules from builds.rules)
    {%- endif -%}
{% endmacro %}

{#
    Before all models: no window stands where a rule changed (a model, macro, seed or
    setting), where a table is missing, with --full-refresh or with FULL=1.
#}
{% macro build_began() %}
    {%- if execute -%}
        create schema if not exists builds;
        create table if not exists builds.finished_windows (
            window_id varchar, window_start_at timestamptz, window_end_at timestamptz,
            completeness varchar, coverage_hash varchar, settings_hash varchar,
            rules varchar
        );
        create table if not exists builds.rules (rules varchar);
    {%- endif -%}
    {%- if execute and flags.WHICH in ('build', 'run') -%}
        {%- set project_dir = invocation_args_dict.get('project_dir') or '.' -%}
        {%- set tables = [] -%}
        {%- for node in graph.nodes.values() if node.config.materialized == 'incremental' -%}
            {%- do tables.append("'" ~ node.schema ~ '.' ~ node.alias ~ "'") -%}
        {%- endfor %}
        create or replace table builds.rules as
        select
            md5(
                string_agg(md5(content), '' order by filename)
                || '{{ (invocation_args_dict.get('vars') or '') | string | replace("'", "''") }}'
            ) as rules
        from read_text([
            '{{ project_dir }}/dbt_project.yml',
            '{{ project_dir }}/macros/*.sql',
            '{{ project_dir }}/models/**/*.sql',
            '{{ project_dir }}/seeds/*'
        ]);
        delete from builds.finished_windows
        where
            {{ flags.FULL_REFRESH or env_var('FULL', '') == '1' }}
            or rules not in (select rules from builds.rules)
            or (
                select count(*) from information_schema.tables
                where table_catalog = current_database()
                and table_schema || '.' || table_name in ({{ tables | join(', ') }})
            ) < {{ tables | length }};
    {%- endif -%}
{% endmacro %}

{#- After all models, if every one was built and no test failed: all windows stand. -#}
{% macro build_ended(results) %}
    {%- if not execute -%}{{ return('') }}{%- endif -%}
    {%- set built = [] -%}
    {%- set missing = [] -%}
    {%- for result in results -%}
        {%- if result.status == 'success' -%}
            {%- do built.append(result.node.unique_id) -%}
        {%- elif result.status not in ('pass', 'warn', 'no-op') -%}
            {%- do missing.append(result.node.unique_id) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for node in graph.nodes.values()
        if node.resource_type in ('model', 'seed') and node.unique_id not in built -%}
        {%- do missing.append(node.unique_id) -%}
    {%- endfor -%}
    {%- if not missing -%}
        create or replace table builds.finished_windows as
        select
            window_id, window_start_at, window_end_at, completeness, coverage_hash,
            settings_hash, rules
        from intermediate.int_window_builds
        cross join builds.rules
    {%- endif -%}
{% endmacro %}
