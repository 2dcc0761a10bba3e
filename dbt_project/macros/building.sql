{#
    How a build touches only what changed. Two cuts carry it: a fingerprint per thread of
    all raw rows about it, and one per window of all that its numbers rest on. Where a
    fingerprint is what the last finished build kept, nothing behind it is computed again.
    A build is whole instead when there is no finished one before it (the first, or one
    that was killed or failed), when a rule changed (a model, macro, seed or setting), or
    with --full-refresh.

    A hash of a row takes an empty list for a null: where a row with a list is hashed, the
    list's length is hashed beside it.
#}

{#- Whether this build may rest on the one before it; never so in a unit test. -#}
{% macro builds_incrementally() %}
    {%- if not execute or model.resource_type == 'unit_test' -%}
        {{ return(false) }}
    {%- endif -%}
    {%- if flags.WHICH not in ('build', 'run') -%}
        {{ return(false) }}
    {%- endif -%}
    {#- Asked once: dbt hands the same graph to all models of a build. -#}
    {%- if 'builds_incrementally' not in graph -%}
        {%- set told = run_query('select is_incremental from builds.latest').rows[0][0] -%}
        {%- do graph.update({'builds_incrementally': told}) -%}
    {%- endif -%}
    {{ return(graph['builds_incrementally']) }}
{% endmacro %}

{#- dbt asks here whether an incremental model is made anew. -#}
{% macro should_full_refresh() %}
    {%- if config.get('full_refresh') is not none -%}
        {{ return(config.get('full_refresh')) }}
    {%- endif -%}
    {{ return(flags.FULL_REFRESH or not builds_incrementally()) }}
{% endmacro %}

{#- The fingerprint of the rules of this build; null in a unit test. -#}
{% macro rules_of_this_build() %}
    {%- if model.resource_type != 'unit_test' and execute
        and flags.WHICH in ('build', 'run') -%}
        '{{ run_query('select rules from builds.latest').rows[0][0] }}'
    {%- else -%}
        cast(null as varchar)
    {%- endif -%}
{% endmacro %}

{#- A model named for its build order; a unit test need not give it as an input. -#}
{% macro built_before(name) %}
    {%- if model.resource_type != 'unit_test' -%}
        {{ return(ref(name)) }}
    {%- endif -%}
{% endmacro %}

{#- After an import: of these rows only those of threads that changed. -#}
{% macro of_changed_threads() -%}
    {%- set changed = built_before('int_threads_changed') -%}
    {%- if builds_incrementally() -%}
        where coalesce(thread_id, '') in (
            select changed.thread_id from {{ changed }} as changed
            where changed.is_changed
        )
    {%- endif -%}
{%- endmacro %}

{#- After an import: of these rows only those of threads and windows to be placed anew. -#}
{% macro of_disturbed_pairs() -%}
    {%- set threads = built_before('int_threads_disturbed') -%}
    {%- set windows = built_before('int_windows_changed') -%}
    {%- if builds_incrementally() -%}
        where
            thread_id in (
                select disturbed.thread_id from {{ threads }} as disturbed
                where disturbed.is_disturbed
            )
            or window_id in (select changed.window_id from {{ windows }} as changed)
    {%- endif -%}
{%- endmacro %}

{#- The same with the threads beside them, whose activity brings them into a window. -#}
{% macro of_neighbouring_pairs() -%}
    {%- set threads = built_before('int_threads_disturbed') -%}
    {%- set windows = built_before('int_windows_changed') -%}
    {%- if builds_incrementally() -%}
        where
            thread_id in (select disturbed.thread_id from {{ threads }} as disturbed)
            or window_id in (select changed.window_id from {{ windows }} as changed)
    {%- endif -%}
{%- endmacro %}

{#- After an import: of these rows only those of windows that are new or moved. -#}
{% macro of_changed_windows() -%}
    {%- set windows = built_before('int_windows_changed') -%}
    {%- if builds_incrementally() -%}
        where window_id in (select changed.window_id from {{ windows }} as changed)
    {%- endif -%}
{%- endmacro %}

{#- After an import: of these rows only those of windows that are told anew. -#}
{% macro of_touched_windows() -%}
    {%- set touched = built_before('int_windows_touched') -%}
    {%- if builds_incrementally() -%}
        where window_id in (select touched.window_id from {{ touched }} as touched)
    {%- endif -%}
{%- endmacro %}

{#- The strategies: what is told anew goes first, so that what is no more goes too. -#}
{% macro get_incremental_by_thread_sql(arguments) %}
    {{ rows_replaced(arguments, "coalesce(thread_id, '') in (
        select thread_id from intermediate.int_threads_changed where is_changed
    )") }}
{% endmacro %}

{% macro get_incremental_by_thread_or_window_sql(arguments) %}
    {{ rows_replaced(arguments, "coalesce(thread_id, '') in (
        select thread_id from intermediate.int_threads_changed where is_changed
    )
    or window_id in (select window_id from intermediate.int_windows_changed)") }}
{% endmacro %}

{% macro get_incremental_by_pair_sql(arguments) %}
    {{ rows_replaced(arguments, "thread_id in (
        select thread_id from intermediate.int_threads_disturbed where is_disturbed
    )
    or window_id in (select window_id from intermediate.int_windows_changed)") }}
{% endmacro %}

{% macro get_incremental_by_window_sql(arguments) %}
    {{ rows_replaced(arguments, "window_id in (
        select window_id from intermediate.int_windows_touched
    )") }}
{% endmacro %}

{% macro rows_replaced(arguments, condition) %}
    {%- set columns = arguments['dest_columns'] | map(attribute='quoted') | join(', ') -%}
    delete from {{ arguments['target_relation'] }} where {{ condition }};
    insert into {{ arguments['target_relation'] }} ({{ columns }})
    select {{ columns }} from {{ arguments['temp_relation'] }} where {{ condition }}
{% endmacro %}

{#- Before all models: what this build may rest on. -#}
{% macro build_begun() %}
    {%- if execute and flags.WHICH in ('build', 'run') -%}
        {%- set project_dir = invocation_args_dict.get('project_dir') or '.' -%}
        {%- set tables = [] -%}
        {%- for node in graph.nodes.values() if node.config.materialized == 'incremental' -%}
            {%- do tables.append("'" ~ node.schema ~ '.' ~ node.alias ~ "'") -%}
        {%- endfor -%}
        {%- do run_query("create schema if not exists builds") -%}
        {%- do run_query("
            create table if not exists builds.latest (
                rules varchar, is_incremental boolean, is_finished boolean
            )
        ") -%}
        {%- do run_query("
            create or replace table builds.latest as
            with rules as (
                select
                    md5(
                        string_agg(md5(content), '' order by filename)
                        || '" ~ (invocation_args_dict.get('vars') or '') | string | replace("'", "''") ~ "'
                    ) as rules
                from read_text([
                    '" ~ project_dir ~ "/dbt_project.yml',
                    '" ~ project_dir ~ "/macros/*.sql',
                    '" ~ project_dir ~ "/models/**/*.sql',
                    '" ~ project_dir ~ "/seeds/*'
                ])
            )
            select
                rules.rules,
                not " ~ flags.FULL_REFRESH ~ "
                and coalesce(bool_and(latest.is_finished and latest.rules = rules.rules), false)
                and (
                    select count(*) from information_schema.tables
                    where table_catalog = current_database()
                    and table_schema || '.' || table_name in (" ~ tables | join(', ') ~ ")
                ) = " ~ tables | length ~ " as is_incremental,
                false as is_finished
            from rules
            left join builds.latest as latest on true
            group by rules.rules
        ") -%}
    {%- endif -%}
{% endmacro %}

{#- After all models: what the next build may rest on, if every one was built. -#}
{% macro build_ended(results) %}
    {%- if execute and flags.WHICH in ('build', 'run') -%}
        {%- set built = [] -%}
        {%- for result in results if result.status | string == 'success' -%}
            {%- do built.append(result.node.unique_id) -%}
        {%- endfor -%}
        {%- set missing = [] -%}
        {%- for node in graph.nodes.values()
            if node.resource_type in ('model', 'seed') and node.unique_id not in built -%}
            {%- do missing.append(node.unique_id) -%}
        {%- endfor -%}
        {%- if not missing -%}
            {%- do run_query("
                create or replace table builds.threads as
                from intermediate.int_threads_fingerprinted
            ") -%}
            {%- do run_query("
                create or replace table builds.windows as
                from intermediate.int_windows_fingerprinted
            ") -%}
            {%- do run_query("update builds.latest set is_finished = true") -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
