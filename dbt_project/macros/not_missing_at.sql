{# Whether a thread or comment was not yet missed at an instant: what is gone is gone. #}
{% macro not_missing_at(instant, rows='threads') -%}
    coalesce({{ rows }}.missing_since_at >= {{ instant }}, true)
{%- endmacro %}
