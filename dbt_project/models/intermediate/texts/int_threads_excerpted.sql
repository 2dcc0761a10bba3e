with

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

bodies as (

    select
        thread_id,
        visible_text as body

    from texts

    where signal = 'body'

),

-- The part that says what the thread is for, else all of it but the headings.
purposes as (

    select
        thread_id,
        coalesce(
            nullif(trim(regexp_extract(
                body,
                '(?is)(?:^|\n)#+[^\n]*'
                || '(purpose|describe the bug|motivation|summary|description|overview'
                || '|your current issue|how would you like|目的|描述|概述)'
                || '[^\n]*\n(.*?)(?:\n#|\z)',
                2
            )), ''),
            regexp_replace(body, '(?m)^#+.*$', '', 'g')
        ) as purpose

    from bodies

),

flattened as (

    select
        thread_id,
        {{ plain_text('purpose') }} as purpose

    from purposes

),

excerpted as (

    select
        thread_id,
        nullif({{ excerpted('purpose', var('excerpt_characters')) }}, '') as excerpt

    from flattened

)

select * from excerpted
