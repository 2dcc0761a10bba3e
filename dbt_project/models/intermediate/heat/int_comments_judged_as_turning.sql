with

windows as (

    select * from {{ ref('windows') }}

),

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

turning_words as (

    select * from {{ ref('turning_words') }}

),

turning_signals as (

    select * from {{ ref('turning_signals') }}

),

threads as (

    select * from {{ ref('threads') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

spoken as (

    select
        comments.thread_id,
        comments.comment_id,
        comments.author_login,
        comments.created_at,
        comments.url,
        comments.is_minimized,
        -- Maintainers settle things, and who began the thread can take it back.
        coalesce(associations.is_maintainer, false)
        or coalesce(comments.author_id = threads.author_id, false) as is_decider,
        row_number() over (
            partition by
                comments.thread_id,
                coalesce(cast(comments.author_id as varchar), 'ghost')
            order by comments.created_at, comments.comment_id
        ) = 1 as is_authors_first

    from comments

    semi join hot_threads
        on comments.thread_id = hot_threads.thread_id

    left join threads
        on comments.thread_id = threads.thread_id

    left join associations
        on comments.author_association = associations.author_association

    where
        not comments.is_bot
        and comments.first_missed_at is null

),

-- Only what may be quoted is flattened: the patterns are slow.
present as (

    select
        hot_threads.window_id,
        spoken.*,
        {{ plain_text('texts.visible_text') }} as text

    from hot_threads

    inner join windows
        on hot_threads.window_id = windows.window_id

    inner join spoken
        on
            hot_threads.thread_id = spoken.thread_id
            and {{ falls_within('spoken.created_at') }}

    inner join texts
        on
            spoken.comment_id = texts.text_id
            and texts.signal = 'comment'

    where not spoken.is_minimized

),

quotable as (

    select
        *,
        {{ spaced_words('text') }} as spaced_text,
        row_number() over (
            partition by window_id, thread_id
            order by created_at, comment_id
        ) as turn,
        count(*) over (partition by window_id, thread_id) as turn_count

    from present

    where length(text) > 2

),

reasoned as (

    select
        window_id,
        comment_id,
        'first_word' as reason

    from quotable

    where turn = 1

    union

    select
        window_id,
        comment_id,
        'last_word' as reason

    from quotable

    where turn = turn_count and turn > 1

    union

    select
        window_id,
        comment_id,
        'newcomer' as reason

    from quotable

    where is_authors_first and turn > 1

    union

    select
        window_id,
        comment_id,
        'cites_thread' as reason

    from quotable

    where regexp_matches(text, '#[0-9]+')

    union

    select
        quotable.window_id,
        quotable.comment_id,
        turning_words.reason

    from quotable

    inner join turning_words
        on {{ holds_phrase('quotable.spaced_text', 'turning_words.phrase') }}

),

weighed as (

    select
        reasoned.window_id,
        reasoned.comment_id,
        list(
            reasoned.reason
            order by turning_signals.weight desc, reasoned.reason asc
        ) as reasons,
        sum(turning_signals.weight) as turning_score

    from reasoned

    inner join quotable
        on
            reasoned.window_id = quotable.window_id
            and reasoned.comment_id = quotable.comment_id

    inner join turning_signals
        on reasoned.reason = turning_signals.reason

    where quotable.is_decider or not turning_signals.is_for_deciders

    group by reasoned.window_id, reasoned.comment_id

),

judged as (

    select
        quotable.window_id,
        quotable.thread_id,
        quotable.comment_id,
        quotable.author_login,
        quotable.created_at,
        quotable.url,
        {{ excerpted('quotable.text', var('excerpt_characters')) }} as excerpt,
        weighed.reasons,
        weighed.turning_score

    from quotable

    inner join weighed
        on
            quotable.window_id = weighed.window_id
            and quotable.comment_id = weighed.comment_id

)

select * from judged
