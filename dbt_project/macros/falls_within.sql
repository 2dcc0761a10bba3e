{# The half-open test: a window owns its first instant and not its last. #}
{% macro falls_within(instant, window='windows') -%}
    {{ instant }} >= {{ window }}.window_start_at
    and {{ instant }} < {{ window }}.window_end_at
{%- endmacro %}
