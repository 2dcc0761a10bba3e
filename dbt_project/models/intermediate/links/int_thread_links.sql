{{ config(materialized='table') }}

-- A plain #n, owner/name#n or a URL.
{% set named_thread -%}
    '(https?://github\.com/[a-z0-9_.-]+/[a-z0-9_.-]+/(issues|pull)/[0-9]+'
            || '|([a-z0-9_.-]+/[a-z0-9_.-]+)?#[0-9]+)'
{%- endset %}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

stacked as (

    select
        threads.thread_id,
        threads.kind,
        'title' as source,
        threads.thread_id as source_id,
        threads.title as text,
        threads.created_at as linked_at

    from threads

    union all

    select
        texts.thread_id,
        threads.kind,
        'body' as source,
        texts.text_id as source_id,
        texts.visible_text as text,
        threads.created_at as linked_at

    from texts

    inner join threads
        on texts.text_id = threads.thread_id

    union all

    select
        texts.thread_id,
        null as kind,
        'comment' as source,
        texts.text_id as source_id,
        texts.visible_text as text,
        comments.created_at as linked_at

    from texts

    inner join comments
        on texts.text_id = comments.comment_id

),

mentioned as (

    select
        thread_id,
        source,
        source_id,
        linked_at,
        unnest(regexp_extract_all(
            ' ' || text,
            '(?i)[^a-z0-9_/.&#-]((close[sd]?|fix(es|ed)?|resolve[sd]?):?\s+)?'
            || {{ named_thread }}
        )) as mention

    from stacked

    where contains(text, '#') or contains(text, '://')

),

-- What GitHub's button writes: a line of the body, or the title of the commit.
reverted as (

    select
        thread_id,
        source,
        source_id,
        linked_at,
        unnest(
            case source
                when 'body'
                    then regexp_extract_all(
                        text,
                        '(?im)^\W*reverts:?[ \t]+' || {{ named_thread }}
                    )
                -- `Revert "X (#1)"` or `Revert "X" (#1)`.
                else coalesce(
                    nullif(
                        regexp_extract_all(
                            {{ unreverted_once('text') }},
                            '\(#[0-9]+\)\s*$'
                        ),
                        []
                    ),
                    regexp_extract_all(text, '\(#[0-9]+\)\s*$')
                )
            end
        ) as mention

    from stacked

    where
        kind = 'pr'
        and contains(lower(text), 'revert')
        and (source = 'body' or {{ quoted_revert_count('text') }} > 0)

),

parsed as (

    select
        thread_id,
        source,
        source_id,
        linked_at,
        split_part(thread_id, '#', 1) as repository,
        relation,
        -- owner/name of a full form; nothing where a plain #n means this repository.
        regexp_extract(
            regexp_replace(mention, '(?i)https?://github\.com/', ''),
            '([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)(/|#)',
            1
        ) as named_repository,
        try_cast(
            regexp_extract(mention, '([0-9]+)\)?\s*$', 1) as bigint
        ) as linked_number

    from (
        select
            *,
            case
                when source = 'comment' then 'mentions'
                when regexp_matches(mention, '(?i)(close|fix|resolve)[a-z]*:?\s')
                    then 'fixes'
                else 'mentions'
            end as relation

        from mentioned

        union all

        select
            *,
            'reverts' as relation

        from reverted
    ) as stacked

),

repositories as (

    select distinct split_part(thread_id, '#', 1) as repository

    from threads

),

-- GitHub knows a repository in any letter case; a thread_id has one spelling.
resolved as (

    select
        parsed.thread_id,
        case
            when parsed.named_repository = '' then parsed.repository
            else coalesce(repositories.repository, lower(parsed.named_repository))
        end
        || '#'
        || parsed.linked_number as linked_thread_id,
        parsed.relation,
        parsed.source,
        parsed.source_id,
        parsed.linked_at

    from parsed

    left join repositories
        on lower(parsed.named_repository) = lower(repositories.repository)

    where parsed.linked_number > 0

),

-- One row per pair and relation, by its first source.
linked as (

    select
        thread_id,
        linked_thread_id,
        relation,
        -- Title and body are of one instant and one thread: the title is read first.
        arg_min(source, (linked_at, source_id, source != 'title', source)) as source,
        arg_min(source_id, (linked_at, source_id)) as source_id,
        min(linked_at) as linked_at

    from resolved

    where lower(thread_id) != lower(linked_thread_id)

    group by thread_id, linked_thread_id, relation

)

select * from linked
