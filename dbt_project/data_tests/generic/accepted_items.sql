{# Every item of a list column is one of the values. #}
{% test accepted_items(model, column_name, values) %}

with

spread as (

    select unnest({{ column_name }}) as item
    from {{ model }}

)

select
    item,
    count(*) as row_count
from spread
where
    item is null
    or item not in (
        {%- for value in values %}
            '{{ value }}'{{ ',' if not loop.last }}
        {%- endfor %}
        )
group by item

{% endtest %}
