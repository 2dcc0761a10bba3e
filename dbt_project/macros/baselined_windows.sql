{# A window fetched on its own has no baseline, and is in that of no other. #}
{% macro baselined_windows(windows='windows', earlier='earlier') -%}
    {{ windows }}.completeness is distinct from 'targeted'
    and {{ earlier }}.completeness is distinct from 'targeted'
{%- endmacro %}
