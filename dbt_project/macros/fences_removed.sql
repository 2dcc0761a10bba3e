{# A text without its fenced code blocks; an unclosed fence reaches to the end. #}
{% macro fences_removed(text) -%}
    {%- set removed = namespace(text=text) -%}
    {%- for mark in ['`', '~'] -%}
        {%- for length in ['{6,}', '{5}', '{4}', '{3}'] -%}
            {%- set fence = '\\n[ \\t]*(?:[-*+] +|[0-9]+[.)] +)*' ~ mark ~ length -%}
            {%- set removed.text -%}
                regexp_replace(
                    {{ removed.text }},
                    '(?s)(?:\A|\n)[ \t]*(?:[-*+][ \t]+|[0-9]+[.)][ \t]+)*{{ mark ~ length }}[^\n`~]*(?:\n.*?(?:\n[ \t]*{{ mark ~ length }}{{ mark }}*[ \t]*(?:\n|\z)|\z)|\z)',
                    chr(10),
                    'g'
                )
            {%- endset -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ removed.text }}
{%- endmacro %}
