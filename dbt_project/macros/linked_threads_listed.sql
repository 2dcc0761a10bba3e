{# What a thread is linked to, from rows of int_linked_threads, as lists of structs. #}

{#- All, the strongest relation first. -#}
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

{#- The known issues that it says it fixes, first what most people are affected by. -#}
{% macro fixed_issues_listed(linked='linked') -%}
    {{ listed_in_order(
        "{
            'number': " ~ linked ~ ".linked_number,
            'url': " ~ linked ~ ".linked_url,
            'affected_people_count': " ~ linked ~ ".linked_affected_people_count,
            'open_days': " ~ linked ~ ".linked_open_days
        }",
        [
            '-' ~ linked ~ '.linked_affected_people_count',
            '-' ~ linked ~ '.linked_open_days',
            linked ~ '.linked_number'
        ],
        where="
            " ~ linked ~ ".linked_kind = 'issue'
            and " ~ linked ~ ".linked_status is not null
            and list_contains(" ~ linked ~ ".relations, 'fixes')
        "
    ) }}
{%- endmacro %}
