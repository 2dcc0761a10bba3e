{# What a commenter is to a thread: who began it, who may merge, who has, or another. #}
{% macro role_of_author(author_id, thread_author_id, is_maintainer, association) -%}
    case
        when {{ author_id }} = {{ thread_author_id }} then 'author'
        when {{ is_maintainer }} then 'maintainer'
        when {{ association }} = 'CONTRIBUTOR' then 'contributor'
        else 'other'
    end
{%- endmacro %}
