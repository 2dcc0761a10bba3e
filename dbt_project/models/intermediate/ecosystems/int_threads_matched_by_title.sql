with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

distinct_titles as (

    select distinct title from versions

),

titles as (

    select
        title,
        {{ full_width_folded('title') }} as folded_title

    from distinct_titles

),

title_matches as (
    {{ words_matched('titles', 'title', 'folded_title', 'words') }}
),

matched as (

    select
        versions.version_id,
        title_matches.ecosystem,
        title_matches.rule_id,
        'title' as signal,
        title_matches.matched,
        title_matches.strength * signals.factor as strength

    from versions

    inner join title_matches
        on versions.title = title_matches.title

    inner join signals
        on signals.signal = 'title'

)

select * from matched
