{# How a phrase of a seed is found in a text: whole words of Latin script, else anywhere. #}

{#- The words of a text as one line between spaces. -#}
{% macro spaced_words(text) -%}
    ' ' || regexp_replace(lower({{ text }}), '[^\p{L}0-9+#]+', ' ', 'g') || ' '
{%- endmacro %}

{% macro holds_phrase(spaced_text, phrase) -%}
    case
        when regexp_matches({{ phrase }}, '^[a-z0-9+ ]+$')
            then contains({{ spaced_text }}, ' ' || {{ phrase }} || ' ')
        else contains({{ spaced_text }}, {{ phrase }})
    end
{%- endmacro %}
