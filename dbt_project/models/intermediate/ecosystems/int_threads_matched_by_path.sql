with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

changed_files as (

    select * from {{ ref('changed_files') }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

signals as (

    select * from {{ ref('ecosystem_signals') }}

),

file_counts as (

    select
        thread_id,
        count(*) as file_count

    from changed_files

    group by thread_id

),

paths as (

    select
        thread_id,
        string_agg(path, ' / ' order by path) as all_paths

    from changed_files

    group by thread_id

),

path_matches as (
    {{ words_matched('paths', 'thread_id', 'all_paths', 'words') }}
),

-- A botched rebase touches every path: the more files, the less each says.
matched as (

    select
        versions.version_id,
        path_matches.ecosystem,
        path_matches.rule_id,
        'path' as signal,
        path_matches.matched,
        path_matches.strength * signals.factor * least(
            1,
            {{ var('full_strength_changed_files') }} / file_counts.file_count
        ) as strength

    from versions

    inner join path_matches
        on versions.thread_id = path_matches.thread_id

    inner join file_counts
        on versions.thread_id = file_counts.thread_id

    inner join signals
        on signals.signal = 'path'

)

select * from matched
