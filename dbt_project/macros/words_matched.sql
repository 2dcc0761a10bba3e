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

    spread as (

        select
            {{ key }},
            unnest(words) as word,
            unnest(list_concat(words[2:], [''])) as next_word

        from listed

    ),

    -- The first word of a term picks the few words that are worth a closer look.
    opening as (

        select
            *,
            split_part(lower(term), ' ', 1) as opening_word

        from {{ words }}

        where match_kind in ('word', 'cased_word')

    ),

    picked as (

        select
            spread.{{ key }},
            {% for column in kept -%}
                opening.{{ column }},
            {% endfor -%}
            case
                when contains(opening.term, ' ')
                    then spread.word || ' ' || spread.next_word
                else spread.word
            end as matched,
            opening.term,
            opening.match_kind

        from spread

        inner join opening
            on lower(spread.word) = opening.opening_word

    ),

    -- mi300x and gfx90a are numbers of a family; m1 and h2 are not.
    numbered as (

        select
            {{ key }},
            word,
            -- Only what looks like one is taken apart: the pattern is slow.
            case
                when regexp_matches(word, '^[A-Za-z]+[0-9]{2}')
                    then regexp_extract(
                        lower(word),
                        '^([a-z]+)([0-9]{3,4}[a-z]?|[0-9]{2}[a-z])$',
                        1
                    )
            end as family

        from spread

    ),

    found as (

        select
            {{ key }},
            {% for column in kept -%}
                {{ column }},
            {% endfor -%}
            matched

        from picked

        where
            case match_kind
                when 'cased_word' then matched = term
                else lower(matched) = lower(term)
            end

        union all

        select
            numbered.{{ key }},
            {% for column in kept -%}
                words.{{ column }},
            {% endfor -%}
            numbered.word as matched

        from numbered

        inner join {{ words }} as words
            on
                numbered.family = words.term
                and words.match_kind = 'numbered'

    )

    select
        {{ key }},
        {% for column in kept -%}
            {{ column }},
        {% endfor -%}
        min(matched) as matched

    from found

    group by
        {{ key }}
        {%- for column in kept -%}
            ,
            {{ column }}
        {%- endfor %}
{% endmacro %}
