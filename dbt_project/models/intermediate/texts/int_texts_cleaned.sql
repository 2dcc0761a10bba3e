{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

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
        -- A code span that only talks of a marker opens nothing.
        regexp_replace(
            replace({{ full_width_folded('text') }}, chr(13), ''),
            '`[^`\n]*(<!--|-->|</?details)[^`\n]*`',
            ' ',
            'gi'
        ) as text

    from stacked

),

unquoted as (

    select
        * exclude (text),
        regexp_replace(text, '(?m)^[ \t]*>.*$', '', 'g') as text

    from folded

),

uncommented as (

    select
        * exclude (text),
        regexp_replace(text, '(?s)<!--.*?(-->|\z)', ' ', 'g') as text

    from unquoted

),

-- The longest fences first: a fence closes only at one at least as long.
unfenced as (

    select
        * exclude (text),
        {{ fences_removed('text') }} as text

    from uncommented

),

-- Tags and the texts between them alternate: piece n follows tag n - 1.
split_at_details as (

    select
        * exclude (text),
        text,
        string_split_regex(text, '(?i)</?details\b[^>]*(?:>|\z)') as pieces,
        regexp_extract_all(text, '(?i)</?details\b[^>]*(?:>|\z)') as tags

    from unfenced

),

undetailed as (

    select
        text_id,
        thread_id,
        signal,
        case
            when len(tags) = 0 then text
            else list_reduce(
                list_transform(
                    pieces,
                    lambda piece, position: {
                        'depth': 0,
                        'opens': starts_with(lower(tags[position - 1]), '<details'),
                        'text': piece
                    }
                ),
                lambda before, after: {
                    'depth': case
                        when after.opens then before.depth + 1
                        else greatest(before.depth - 1, 0)
                    end,
                    'opens': false,
                    'text': case
                        when after.opens or before.depth > 1 then before.text
                        else before.text || ' ' || after.text
                    end
                }
            ).text
        end as text

    from split_at_details

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
