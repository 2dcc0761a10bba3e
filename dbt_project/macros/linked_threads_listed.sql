{# The linked threads of a row, the strongest relation first, as a list of structs. #}
{% macro linked_threads_listed(linked='linked') -%}
    {{ listed_in_order(
        "{
            'thread_id': " ~ linked ~ ".linked_thread_id,
            'number': " ~ linked ~ ".linked_number,
            'relation': " ~ linked ~ ".relation,
            'title': " ~ linked ~ ".linked_title,
            'url': " ~ linked ~ ".linked_url,
            'status': " ~ linked ~ ".linked_status
        }",
        [
            "list_position(
                [
                    'reverts', 'reverted_by', 'fixes', 'fixed_by', 'mentions',
                    'mentioned_by'
                ],
                " ~ linked ~ ".relation
            )",
            linked ~ '.linked_thread_id'
        ]
    ) }}
{%- endmacro %}
