{# Markdown as one line of plain text: no images, tags, list marks or emphasis. #}
{% macro plain_text(text) -%}
    {%- set steps = [
        ('!\[[^\]]*\]\([^)]*\)', ''),
        ('\[([^\]]*)\]\([^)]*\)', '\\1'),
        ('(?i)</?(a|b|i|p|br|hr|img|div|span|sub|sup|code|pre|table|tbody|thead|tr|td|th'
         ~ '|ul|ol|li|h[1-6]|strong|em|kbd|summary|picture|source|video|font|center)'
         ~ '\\b[^>]*>', ' '),
        ('(?m)^[ \\t]*[-*+][ \\t]+\[[ xX]\].*$', ''),
        ('(?m)^[ \\t]*(#{1,6}|[-*+]|[0-9]+[.)])[ \\t]+', ''),
        ('(?m)^[ \\t]*_No response_[ \\t]*$', ''),
        ('(?m)^[ \\t]*[-=_*]{3,}[ \\t]*$', ''),
        ('(\\*\\*|`|~~)', ''),
        ('\\s+', ' '),
    ] -%}
    {%- set plain = namespace(text=text) -%}
    {%- for pattern, replacement in steps -%}
        {%- set plain.text -%}
            regexp_replace({{ plain.text }}, '{{ pattern }}', '{{ replacement }}', 'g')
        {%- endset -%}
    {%- endfor -%}
    trim({{ plain.text }})
{%- endmacro %}
