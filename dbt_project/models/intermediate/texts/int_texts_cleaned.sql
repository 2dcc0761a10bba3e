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

stacked as (

    select
        thread_id as text_id,
        thread_id,
        'body' as signal,
        body as text

    from threads

    union all

    select
        comment_id as text_id,
        thread_id,
        'comment' as signal,
        body as text

    from comments

    where not is_bot

),

folded as (

    select
        text_id,
        thread_id,
        signal,
        replace({{ full_width_folded('text') }}, chr(13), '') as text

    from stacked

),

-- Each step is taken only where its mark is: most comments hold none, and patterns are
-- slow. A code span that only talks of a marker opens nothing.
spanned as (

    select
        * exclude (text),
        case
            when contains(text, '`') and regexp_matches(text, '(?i)<!--|-->|</?details')
                then regexp_replace(
                    text,
                    '`[^`\n]*(<!--|-->|</?details)[^`\n]*`',
                    ' ',
                    'gi'
                )
            else text
        end as text

    from folded

),

unquoted as (

    select
        * exclude (text),
        case
            when contains(text, '>')
                then regexp_replace(text, '(?m)^[ \t]*>.*$', '', 'g')
            else text
        end as text

    from spanned

),

uncommented as (

    select
        * exclude (text),
        case
            when contains(text, '<!--')
                then regexp_replace(text, '(?s)<!--.*?(-->|\z)', ' ', 'g')
            else text
        end as text

    from unquoted

),

unfenced as (

    select
        * exclude (text),
        case
            when contains(text, '```') or contains(text, '~~~')
                then {{ fences_removed('text') }}
            else text
        end as text

    from uncommented

),

undetailed as (

    select
        * exclude (text),
        case
            when contains(lower(text), 'details')
                then {{ details_removed('text') }}
            else text
        end as text

    from unfenced

),

undumped as (

    select
        text_id,
        thread_id,
        signal,
        regexp_replace(
            regexp_replace(text, {{ environment_dump_line() }}, '', 'g'),
            '(?i)\bAMD[ -]+(EPYC|Ryzen|Opteron|Threadripper)\b',
            '\1',
            'g'
        ) as visible_text

    from undetailed

),

cleaned as (

    select
        *,
        regexp_replace(
            regexp_replace(visible_text, '(?i)\b(https?://|www\.)\S+', ' ', 'g'),
            '@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9_.-]+)?',
            ' ',
            'g'
        ) as cleaned_text

    from undumped

)

select * from cleaned
