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
{% macro rests_on_earlier() %}
    {{ return(model.resource_type != 'unit_test' and is_incremental()) }}
{% endmacro %}

{#-
    The same for texts, which are slow to clean and to match: a text is as it was while its
    hash is. After an import: of these rows only those of texts that this build takes up.
-#}
{% macro of_texts_to_build() -%}
    {%- if rests_on_earlier() -%}
        where text_id not in (
            select finished.text_id from builds.finished_texts as finished
        )
    {%- endif -%}
{%- endmacro %}

{#
    Before an incremental table is filled, in the same transaction: delete what is computed
    anew. dbt's own delete+insert deletes the keys that it inserts, so a window that has no
    rows any more would keep its old ones.
#}
{% macro delete_what_is_built() %}
    {%- set key = config.get('unique_key') -%}
    {%- if is_incremental() and key == 'window_id' -%}
        delete from {{ this }}
        where window_id not in (select window_id from builds.finished_windows)
    {%- elif is_incremental() -%}
        delete from {{ this }}
        where {{ key }} not in (select text_id from builds.finished_texts)
    {%- endif -%}
{% endmacro %}

{#-
    After a report's incremental table: a thread's author is a person, and is shown by the
    newest login in windows that stand too. Nothing else of them moves.
-#}
{% macro show_newest_logins() %}
    {%- if
        config.get('materialized') == 'incremental'
        and 'author_login' in model.columns and 'thread_id' in model.columns
    -%}
        update {{ this }} as shown
        set author_login = threads.author_login
        from marts.threads as threads
        where
            shown.thread_id = threads.thread_id
            and shown.author_login != threads.author_login
    {%- endif -%}
{% endmacro %}

{#- After int_window_builds: what is to be computed stands no more. -#}
{% macro forget_windows_to_build() %}
    delete from builds.finished_windows
    where window_id not in (select window_id from {{ this }} where reason is null)
{% endmacro %}

{#- Before int_texts_cleaned: a comment that turned out to be a bot's, or is gone. -#}
{% macro delete_gone_texts() %}
    {%- if is_incremental() -%}
        delete from {{ this }}
        where
            signal != 'title'
            and text_id not in (
                select thread_id from {{ ref('threads') }}
                union all
                select comment_id from {{ ref('comments') }}
                where not is_bot
            )
    {%- endif -%}
{% endmacro %}

{#- After int_texts_cleaned: a text that changed or is gone. -#}
{% macro forget_texts_to_build() %}
    delete from builds.finished_texts
    where (text_id, text_hash) not in (select (text_id, text_hash) from {{ this }})
{% endmacro %}

{#- dbt asks here whether an incremental table is made anew: if no window stood at first. -#}
{% macro should_full_refresh() %}
    {%- if config.get('full_refresh') is not none -%}
        {{ return(config.get('full_refresh')) }}
    {%- endif -%}
    {%- if flags.FULL_REFRESH or flags.WHICH not in ('build', 'run') -%}
        {{ return(flags.FULL_REFRESH) }}
    {%- endif -%}
    {{ return(run_query('select is_whole from builds.latest').rows[0][0]) }}
{% endmacro %}

{#- Of which rules this build is; null in a unit test. -#}
{% macro rules_of_this_build() %}
    {%- if model.resource_type == 'unit_test' -%}
        cast(null as varchar)
    {%- else -%}
        (select rules from builds.latest)
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
        create table if not exists builds.finished_texts (text_id varchar, text_hash ubigint);
    {%- endif -%}
    {%- if execute and flags.WHICH in ('build', 'run') -%}
        {%- set project_dir = invocation_args_dict.get('project_dir') or '.' -%}
        {%- set tables = [] -%}
        {%- for node in graph.nodes.values() if node.config.materialized == 'incremental' -%}
            {%- do tables.append("'" ~ node.schema ~ '.' ~ node.alias ~ "'") -%}
        {%- endfor %}
        create or replace table builds.latest as
        select
            md5(
                string_agg(md5(content), '' order by filename)
                || '{{ (invocation_args_dict.get('vars') or '') | string | replace("'", "''") }}'
            ) as rules,
            false as is_whole
        from read_text([
            '{{ project_dir }}/dbt_project.yml',
            '{{ project_dir }}/macros/*.sql',
            '{{ project_dir }}/models/**/*.sql',
            '{{ project_dir }}/seeds/*'
        ]);
        delete from builds.finished_windows
        where
            {{ flags.FULL_REFRESH or env_var('FULL', '') == '1' }}
            or rules not in (select rules from builds.latest)
            or (
                select count(*) from information_schema.tables
                where table_catalog = current_database()
                and table_schema || '.' || table_name in ({{ tables | join(', ') }})
            ) < {{ tables | length }};
        update builds.latest
        set is_whole = not exists (select 1 from builds.finished_windows);
    {%- endif -%}
{% endmacro %}

{#- After all models, if every one was built and no test failed: all of it stands. -#}
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
        cross join builds.latest;
        create or replace table builds.finished_texts as
        select text_id, text_hash from intermediate.int_texts_cleaned
    {%- endif -%}
{% endmacro %}
