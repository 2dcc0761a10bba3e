{#
    The words of a text, in order: runs of ASCII letters and digits, letters of scripts
    that write no spaces one by one, and `+1`. A term of a seed is cut in the same way, so
    a phrase is found whatever joins its words. A possessive says nothing of its own.
#}
{% macro words_of(text) -%}
    regexp_extract_all(
        case
            when contains({{ text }}, '+') or regexp_matches({{ text }}, '[''’]s\b')
                then regexp_replace(
                    {{ text }},
                    '([A-Za-z0-9])(?:[''’]s\b|\+)',
                    '\1 ',
                    'g'
                )
            else {{ text }}
        end,
        '[A-Za-z0-9]+|\+1\b|\p{Lo}'
    )
{%- endmacro %}
