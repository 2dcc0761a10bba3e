{{ config(materialized='incremental', incremental_strategy='by_thread') }}

with

threads as (

    select * from {{ ref('threads') }}
    {{ of_changed_threads() }}

),

comments as (

    select * from {{ ref('comments') }}
    {{ of_changed_threads() }}

),

texts as (

    select * from {{ ref('int_texts_cleaned') }}
    {{ of_changed_threads() }}

),

stacked as (

    select
        threads.thread_id,
        'title' as source,
        threads.thread_id as source_id,
        threads.title as text,
        threads.created_at as linked_at

    from threads

    union all

    select
        texts.thread_id,
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
        'comment' as source,
        texts.text_id as source_id,
        texts.visible_text as text,
        comments.created_at as linked_at

    from texts

    inner join comments
        on texts.text_id = comments.comment_id

),

found as (

    select
        thread_id,
        source,
        source_id,
        linked_at,
        split_part(thread_id, '#', 1) as repository,
        unnest(regexp_extract_all(
            ' ' || text,
            '(?i)[^a-z0-9_/.&#-]'
            || '((close[sd]?|fix(es|ed)?|resolve[sd]?):?\s+)?'
            || '(https?://github\.com/[a-z0-9_.-]+/[a-z0-9_.-]+/(issues|pull)/[0-9]+'
            || '|([a-z0-9_.-]+/[a-z0-9_.-]+)?#[0-9]+)'
        )) as mention

    from stacked

    where contains(text, '#') or contains(text, '://')

),

parsed as (

    select
        thread_id,
        source,
        source_id,
        linked_at,
        repository,
        regexp_matches(mention, '(?i)(close|fix|resolve)[a-z]*:?\s') as is_closing,
        -- owner/name of a full form; nothing where a plain #n means this repository.
        regexp_extract(
            regexp_replace(mention, '(?i)https?://github\.com/', ''),
            '([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)(/|#)',
            1
        ) as named_repository,
        regexp_extract(mention, '([0-9]+)$', 1) as digits

    from found

),

resolved as (

    select
        thread_id,
        case
            when lower(named_repository) in ('', lower(repository)) then repository
            else named_repository
        end
        || '#'
        || try_cast(digits as bigint) as linked_thread_id,
        case when is_closing and source != 'comment' then 'fixes' else 'mentions' end
            as relation,
        source,
        source_id,
        linked_at

    from parsed

    where try_cast(digits as bigint) > 0

),

-- One row per pair and relation, by its first source.
linked as (

    select
        thread_id,
        linked_thread_id,
        relation,
        cast(case relation when 'fixes' then 1 else 0.5 end as double) as strength,
        -- Title and body are of one instant and one thread: the title is read first.
        arg_min(source, (linked_at, source_id, source != 'title', source)) as source,
        arg_min(source_id, (linked_at, source_id)) as source_id,
        min(linked_at) as linked_at

    from resolved

    where lower(thread_id) != lower(linked_thread_id)

    group by thread_id, linked_thread_id, relation

)

select * from linked
