{# What the start of a title says: its prefix, and what a revert quotes. #}

{#- The title that a revert quotes: `Revert "X"` and `Revert "X" (#1)` give X. -#}
{% macro unreverted_once(title) -%}
    regexp_replace(
        {{ title }},
        '(?is)^\s*revert\s+["“](.*)["”](\s*\(#[0-9]+\))*\s*$',
        '\1'
    )
{%- endmacro %}

{#- The same for a revert of a revert, of a revert, of a revert. -#}
{% macro unreverted(title) -%}
    {{ unreverted_once(unreverted_once(unreverted_once(unreverted_once(title)))) }}
{%- endmacro %}

{#- How often a title says `Revert "` at its start: an odd number takes back. -#}
{% macro quoted_revert_count(title) -%}
    len(regexp_extract_all(
        regexp_extract({{ title }}, '(?i)^\s*(revert\s+["“]\s*)+'),
        '(?i)revert'
    ))
{%- endmacro %}

{#-
    `[Bugfix][Core]` or `fix(docs):` at the start, or at the start of what a revert quotes,
    with all that stands before it; else empty.
-#}
{% macro title_prefix(title) -%}
    regexp_extract(
        {{ title }},
        '^\s*((?i:revert)\s+["“]\s*)*((\[[^\]]*\]\s*:?\s*)+'
        || '|[A-Za-z][A-Za-z -]{0,20}(\([^)]*\))?!?:\s)?'
    )
{%- endmacro %}
