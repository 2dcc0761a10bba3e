{# A user id, or null where GitHub knows nobody: a null user and its own `ghost`. #}
{% macro known_person(id, login) -%}
    case when lower({{ login }}) != 'ghost' then {{ id }} end
{%- endmacro %}
