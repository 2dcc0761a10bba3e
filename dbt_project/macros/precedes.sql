{# Whether a window is among the baseline before another of its project and kind. #}
{% macro precedes(earlier, window) -%}
    {{ window }}.project = {{ earlier }}.project
    and {{ window }}.window_kind = {{ earlier }}.window_kind
    and {{ window }}.window_index > {{ earlier }}.window_index
    and {{ window }}.window_index - {{ earlier }}.window_index
    <= {{ var('baseline_windows') }}
{%- endmacro %}
