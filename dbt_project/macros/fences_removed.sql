{#
    A text without its fenced code. A fence closes at a bare one of the same mark that
    is at least as long; an unclosed one reaches to the end. Lines that could be a fence
    and the texts between them alternate, and the reduction walks them.
#}
{% macro fences_removed(text) -%}
    {%- set fence -%}
        '(?m)\n[ \t]*(?:[-*+][ \t]+|[0-9]+[.)][ \t]+)*(?:`{3,}[^`\n]*|~{3,}[^\n]*)$'
    {%- endset -%}
    substring(list_reduce(
        list_transform(
            list_zip(
                string_split_regex(chr(10) || {{ text }}, {{ fence }}),
                list_concat(
                    [''],
                    regexp_extract_all(chr(10) || {{ text }}, {{ fence }})
                )
            ),
            lambda part: {
                'text': part[1],
                'mark': regexp_extract(part[2], '`{3,}|~{3,}'),
                'is_bare': regexp_matches(part[2], '^\n[ \t]*(`+|~+)[ \t]*$'),
                'opened_by': ''
            }
        ),
        lambda before, after: if(
            before.opened_by = '',
            {
                'text': before.text,
                'mark': '',
                'is_bare': false,
                'opened_by': after.mark
            },
            if(
                after.is_bare and starts_with(after.mark, before.opened_by),
                {
                    'text': before.text || after.text,
                    'mark': '',
                    'is_bare': false,
                    'opened_by': ''
                },
                before
            )
        )
    ).text, 2)
{%- endmacro %}
