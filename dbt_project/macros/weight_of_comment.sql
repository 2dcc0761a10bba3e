{#
    What a comment weighs in the heat of its window: 1 at the end, and half of it for each
    half of the window's length before.
#}
{% macro weight_of_comment(created_at, window_end_at, window_seconds) -%}
    pow(
        2,
        -date_diff('second', {{ created_at }}, {{ window_end_at }})
        / ({{ window_seconds }} / 2)
    )
{%- endmacro %}
