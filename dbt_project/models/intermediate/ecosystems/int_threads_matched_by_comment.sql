with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

comments as (

    select * from {{ ref('comments') }}

),

texts as (

    select * from {{ ref('int_texts_matched') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

-- All that comments say is one rule: twenty mentions are no more than one.
matched as (

    select
        versions.version_id,
        texts.ecosystem,
        texts.ecosystem || '-comments' as rule_id,
        'comment' as signal,
        min(texts.matched) as matched,
        max(texts.strength) * any_value(signals.factor) as strength

    from versions

    inner join comments
        on
            versions.thread_id = comments.thread_id
            and (
                versions.as_of_at is null
                or versions.as_of_at > comments.created_at
            )

    inner join texts
        on comments.comment_id = texts.text_id

    inner join signals
        on signals.signal = 'comment'

    group by
        versions.version_id,
        texts.ecosystem,
        lower(texts.matched)

)

select * from matched
