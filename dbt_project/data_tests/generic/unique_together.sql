{# The named columns are the grain: none of them is null and no two rows share them all. #}
{% test unique_together(model, columns) %}

select {{ columns | join(', ') }}
from {{ model }}
group by {{ columns | join(', ') }}
having
    count(*) > 1
    {%- for column in columns %}
    or {{ column }} is null
    {%- endfor %}

{% endtest %}
