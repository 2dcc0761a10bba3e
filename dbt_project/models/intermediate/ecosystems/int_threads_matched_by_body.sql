with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

texts as (

    select * from {{ ref('int_texts_matched') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

matched as (

    select
        versions.version_id,
        texts.ecosystem,
        texts.rule_id,
        'body' as signal,
        texts.matched,
        texts.strength * signals.factor as strength

    from versions

    inner join texts
        on versions.thread_id = texts.text_id

    inner join signals
        on signals.signal = 'body'

)

select * from matched
