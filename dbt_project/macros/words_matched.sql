{#
    One row per text and listed word in it, with the words as written and what the list
    says of them (`kept`, of which rule_id is the key). Words are whole: runs of ASCII
    letters and digits, so that `mi355_1`, `[RoCM]` and `支持AMD显卡` hold what one would
    read and `relationship` holds no `hip`. A join of words is a hash join; a pattern per
    rule and text would be compiled a million times over.
#}
{% macro words_matched(
    texts, key, text, words, kept=['rule_id', 'ecosystem', 'strength']
) %}
    with

    listed as (

        select
            {{ key }},
            regexp_extract_all({{ text }}, '[A-Za-z0-9]+') as words

        from {{ texts }}

    ),

    paired as (

        select
            {{ key }},
            unnest(words) as word,
            unnest(list_concat(words[2:], [''])) as next_word

        from listed

    ),

    looked_up as (

        select distinct
            {{ key }},
            unnest([
                {'kind': 'word', 'term': lower(word), 'matched': word},
                {
                    'kind': 'word',
                    'term': lower(word || ' ' || next_word),
                    'matched': word || ' ' || next_word
                },
                {'kind': 'cased_word', 'term': word, 'matched': word},
                -- mi300x and gfx90a are numbers of a family; m1 and h2 are not.
                {
                    'kind': 'numbered',
                    'term': regexp_extract(
                        lower(word),
                        '^([a-z]+)([0-9]{3,4}[a-z]?|[0-9]{2}[a-z])$',
                        1
                    ),
                    'matched': word
                }
            ]) as candidate

        from paired

    )

    select
        looked_up.{{ key }},
        {% for column in kept -%}
            words.{{ column }},
        {% endfor -%}
        min(looked_up.candidate.matched) as matched

    from looked_up

    inner join {{ words }} as words
        on
            looked_up.candidate.kind = words.match_kind
            and looked_up.candidate.term = words.term

    group by
        looked_up.{{ key }}
        {%- for column in kept -%}
            ,
            words.{{ column }}
        {%- endfor %}
{% endmacro %}
