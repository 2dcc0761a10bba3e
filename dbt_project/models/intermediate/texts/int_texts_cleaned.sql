{{ config(
    materialized='incremental',
    unique_key='text_id',
    pre_hook="{{ delete_gone_texts() }}",
    post_hook="{{ forget_texts_to_build() }}"
) }}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

events as (

    select * from {{ ref('thread_events') }}

),

-- A thread's title at any window's end is the one of now or one it was renamed from.
titles as (

    select
        thread_id,
        title

    from threads

    where title is not null

    union

    select
        thread_id,
        rename_from as title

    from events

    -- An event may have lost its thread.
    where
        event = 'renamed'
        and rename_from is not null
        and thread_id is not null

),

stacked as (

    select
        thread_id || ':' || title as text_id,
        thread_id,
        'title' as signal,
        title,
        title as text,
        hash(title) as text_hash

    from titles

    union all

    select
        thread_id as text_id,
        thread_id,
        'body' as signal,
        cast(null as varchar) as title,
        body as text,
        -- An excerpt of it leaves out what the title says.
        hash(threads.title, threads.body) as text_hash

    from threads

    union all

    select
        comment_id as text_id,
        thread_id,
        'comment' as signal,
        cast(null as varchar) as title,
        body as text,
        hash(body) as text_hash

    from comments

    where not is_bot

),

to_build as (

    select stacked.*

    from stacked
    {% if rests_on_earlier() %}
        anti join {{ this }} as kept
            on
                stacked.text_id = kept.text_id
                and stacked.text_hash = kept.text_hash
    {% endif %}

),

folded as (

    select
        text_id,
        thread_id,
        signal,
        title,
        text_hash,
        replace({{ full_width_folded('text') }}, chr(13), '') as text

    from to_build

),

-- Each step is taken only where its mark is: most comments hold none, and patterns are
-- slow. A code span that only talks of a marker opens nothing. A title is no Markdown.
spanned as (

    select
        * exclude (text),
        text as folded_text,
        case
            when signal = 'title' then ''
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

-- Indented code, after the blocks of tags: an indented tag still opens and closes one.
unindented as (

    select
        * exclude (text),
        case
            when contains(text, '    ') or contains(text, chr(9))
                then regexp_replace(
                    text,
                    '(\A|\n[ \t]*\n)(?:(?:[ \t]*\n)*(?: {4}| {0,3}\t)[^\n]*(?:\n|\z))+',
                    '\1',
                    'g'
                )
            else text
        end as text

    from undetailed

),

undumped as (

    select
        text_id,
        thread_id,
        signal,
        title,
        text_hash,
        folded_text,
        regexp_replace(text, {{ environment_dump_line() }}, '', 'g') as text

    from unindented

),

cleaned as (

    select
        text_id,
        thread_id,
        signal,
        title,
        text_hash,
        case signal when 'title' then {{ title_prefix('folded_text') }} end as prefix,
        case signal when 'title' then folded_text else text end as visible_text,
        case signal
            when 'title' then folded_text
            else regexp_replace(
                regexp_replace(text, '(?i)\b(https?://|www\.)\S+', ' ', 'g'),
                '@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9_.-]+)?',
                ' ',
                'g'
            )
        end as cleaned_text

    from undumped

)

select * from cleaned
