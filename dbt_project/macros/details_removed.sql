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
        lambda before, after: case
            when after.opens then {
                'text': before.text,
                'opens': false,
                'depth': before.depth + 1
            }
            when before.depth > 1 then {
                'text': before.text,
                'opens': false,
                'depth': before.depth - 1
            }
            else {
                'text': before.text || ' ' || after.text,
                'opens': false,
                'depth': 0
            }
        end
    ).text
{%- endmacro %}
