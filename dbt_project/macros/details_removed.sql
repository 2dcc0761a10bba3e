{#
    A text without its `<details>` blocks: nested ones go with all that they hold, an
    unclosed one reaches to the end. Tags and the texts between them alternate, and the
    reduction walks them, counting how deep it is.
#}
{% macro details_removed(text) -%}
    {%- set tag -%} '(?i)</?details\b[^>]*(?:>|\z)' {%- endset -%}
    list_reduce(
        list_transform(
            list_zip(
                string_split_regex({{ text }}, {{ tag }}),
                list_concat([''], regexp_extract_all({{ text }}, {{ tag }}))
            ),
            lambda part: {
                'text': part[1],
                'opens': starts_with(lower(part[2]), '<details'),
                'depth': 0
            }
        ),
        lambda before, after: if(
            after.opens or before.depth > 1,
            {
                'text': before.text,
                'opens': false,
                'depth': before.depth + if(after.opens, 1, -1)
            },
            {
                'text': before.text || ' ' || after.text,
                'opens': false,
                'depth': 0
            }
        )
    ).text
{%- endmacro %}
