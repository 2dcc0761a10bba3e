{# The first sentences of a plain text that fit, else as many words as fit and `…`. #}
{% macro excerpted(text, characters) -%}
    case
        when length({{ text }}) <= {{ characters }} then {{ text }}
        when
            length(regexp_extract(
                left({{ text }}, {{ characters }}),
                '^(.*([.!?][ ]|[。！？]))',
                1
            )) >= {{ characters // 4 }}
            then trim(regexp_extract(
                left({{ text }}, {{ characters }}),
                '^(.*([.!?][ ]|[。！？]))',
                1
            ))
        else
            regexp_replace(left({{ text }}, {{ characters - 1 }}), '[ ][^ ]{0,30}$', '')
            || '…'
    end
{%- endmacro %}
