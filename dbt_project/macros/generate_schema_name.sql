{# Each developer has a whole warehouse file, so a schema needs no target prefix. #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
