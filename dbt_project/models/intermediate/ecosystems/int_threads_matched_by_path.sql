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

    select distinct path

    from changed_files

),

path_matches as (
    {{ words_matched('paths', 'path', 'path', 'words') }}
),

matched_in_threads as (

    select
        changed_files.thread_id,
        path_matches.ecosystem,
        path_matches.rule_id,
        path_matches.strength,
        min(path_matches.matched) as matched

    from changed_files

    inner join path_matches
        on changed_files.path = path_matches.path

    group by
        changed_files.thread_id,
        path_matches.ecosystem,
        path_matches.rule_id,
        path_matches.strength

),

-- A botched rebase touches every path: the more files, the less each says.
matched as (

    select
        versions.version_id,
        matched_in_threads.ecosystem,
        matched_in_threads.rule_id,
        'path' as signal,
        matched_in_threads.matched,
        matched_in_threads.strength * signals.factor * least(
            1,
            {{ var('full_strength_changed_files') }} / file_counts.file_count
        ) as strength

    from versions

    inner join matched_in_threads
        on versions.thread_id = matched_in_threads.thread_id

    inner join file_counts
        on versions.thread_id = file_counts.thread_id

    inner join signals
        on signals.signal = 'path'

)

select * from matched
