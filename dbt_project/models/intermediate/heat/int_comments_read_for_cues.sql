{{ config(materialized='table') }}

with

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}
    {{ of_touched_windows() }}

),

comments as (

    select * from {{ ref('comments') }}

),

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

threads as (

    select * from {{ ref('threads') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

turning_words as (

    select * from {{ ref('turning_words') }}

),

turning_signals as (

    select * from {{ ref('turning_signals') }}

),

cue_words as (

    select * from {{ ref('cue_words') }}

),

spoken as (

    select
        comments.thread_id,
        comments.comment_id,
        comments.author_id,
        comments.author_login,
        comments.created_at,
        comments.url,
        {{ role_of_author(
            'comments.author_id',
            'threads.author_id',
            'associations.is_maintainer',
            'comments.author_association'
        ) }} as role,
        coalesce(associations.is_maintainer, false) as is_maintainer,
        {{ plain_text('texts.visible_text') }} as text

    from comments

    semi join hot_threads
        on comments.thread_id = hot_threads.thread_id

    inner join texts
        on
            comments.comment_id = texts.text_id
            and texts.signal = 'comment'

    left join threads
        on comments.thread_id = threads.thread_id

    left join associations
        on comments.author_association = associations.author_association

    where
        not comments.is_bot
        and not comments.is_minimized
        and comments.first_missed_at is null

),

-- A full stop ends a sentence only before a space: versions and file names hold some.
split as (

    select
        * exclude (text),
        string_split(
            regexp_replace(
                text,
                '([.!?…][)"”’]*)\s+|([。！？]+)\s*',
                '\1\2' || chr(10),
                'g'
            ),
            chr(10)
        ) as sentences

    from spoken

),

parted as (

    select
        * exclude (sentences),
        unnest(sentences) as sentence,
        generate_subscripts(sentences, 1) as place

    from split

),

spaced as (

    select
        *,
        {{ spaced_words('sentence') }} as spaced_sentence,
        regexp_matches(sentence, '[?？][)"”’]*\s*$') as is_question

    from parted

    -- A command to a bot asks nobody.
    where
        regexp_matches(sentence, '\p{L}{2}|[\x{4E00}-\x{9FFF}]')
        and not starts_with(sentence, '/')

),

worded as (

    select
        reason as cue,
        phrase

    from turning_words

    union

    select
        cue,
        phrase

    from cue_words

),

-- Who asks whether it is fixed, or says that it is not, takes no such position.
cued as (

    select
        spaced.thread_id,
        spaced.comment_id,
        spaced.author_id,
        spaced.author_login,
        spaced.role,
        spaced.is_maintainer,
        spaced.created_at,
        spaced.url,
        spaced.sentence,
        spaced.place,
        worded.cue

    from spaced

    inner join worded
        on {{ holds_phrase('spaced.spaced_sentence', 'worded.phrase') }}

    left join turning_signals
        on worded.cue = turning_signals.reason

    where
        worded.cue = 'asks'
        or (
            not spaced.is_question
            and (
                worded.cue = 'disagrees'
                or not regexp_matches(
                    spaced.spaced_sentence,
                    ' (not|never|cannot|unable|[a-z]+n t) |无法|不能|没能|未能'
                )
                -- To decline is a decision too.
                or contains(worded.phrase, ' t ')
            )
            and (
                not coalesce(turning_signals.is_for_deciders, false)
                or spaced.is_maintainer
                or spaced.role = 'author'
            )
        )

    union

    select
        thread_id,
        comment_id,
        author_id,
        author_login,
        role,
        is_maintainer,
        created_at,
        url,
        sentence,
        place,
        'asks' as cue

    from spaced

    where is_question

),

-- To approve what one may decide is a decision, and no more than that.
-- Of what a comment says to one end, the first sentence; of what it asks, the last.
read as (

    select *

    from cued

    qualify
        row_number() over (
            partition by comment_id, cue
            order by if(cue = 'asks', -place, place)
        ) = 1
        and not (
            cue = 'agrees'
            and bool_or(cue = 'decides') over (partition by comment_id)
        )

)

select
    thread_id,
    comment_id,
    author_id,
    author_login,
    role,
    is_maintainer,
    created_at,
    url,
    cue,
    sentence

from read
