{#
    The sum of small doubles whatever their order, so that what is equal on paper is equal
    here and ties are ties. Exact to 24 places; a sum in order costs a sort per group.
#}
{% macro summed_exactly(value) -%}
    cast(sum(cast({{ value }} as decimal(38, 24))) as double)
{%- endmacro %}
