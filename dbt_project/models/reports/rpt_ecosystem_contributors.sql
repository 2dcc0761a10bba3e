{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}

),

tagged as (

    select * from {{ ref('rpt_ecosystem_threads') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

placed as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

affiliated as (

    select * from {{ ref('int_people_affiliated') }}

),

acts as (

    select
        tagged.window_id,
        tagged.ecosystem,
        threads.author_id as person_id,
        'author' as act,
        list_has_any(tagged.listings, ['new_issue', 'new_pr']) as is_opened,
        list_contains(tagged.listings, 'merged_pr') as is_merged

    from tagged

    inner join threads
        on tagged.thread_id = threads.thread_id

    where not threads.is_bot_author

    union all

    select
        tagged.window_id,
        tagged.ecosystem,
        comments.author_id as person_id,
        'comment' as act,
        false as is_opened,
        false as is_merged

    from tagged

    inner join placed
        on
            tagged.window_id = placed.window_id
            and tagged.thread_id = placed.thread_id

    inner join comments
        on placed.comment_id = comments.comment_id

    where not placed.is_bot

),

counted as (

    select
        window_id,
        ecosystem,
        person_id,
        count(*) filter (where act = 'author') as authored_count,
        count(*) filter (where is_opened) as opened_count,
        count(*) filter (where is_merged) as merged_count,
        count(*) filter (where act = 'comment') as comment_count

    from acts

    where person_id is not null

    group by window_id, ecosystem, person_id

),

-- The strongest source that was valid when the window began speaks for a person.
known as (

    select
        windows.window_id,
        affiliated.person_id,
        affiliated.affiliation,
        affiliated.source

    from windows

    inner join affiliated
        on
            coalesce(windows.window_date >= affiliated.valid_from, true)
            and coalesce(windows.window_date < affiliated.valid_until, true)

    qualify row_number() over (
        partition by windows.window_id, affiliated.person_id
        order by affiliated.strength desc, affiliated.rule_id asc
    ) = 1

),

joined as (

    select
        counted.window_id,
        counted.ecosystem,
        cast(row_number() over (
            partition by counted.window_id, counted.ecosystem
            order by
                counted.merged_count desc,
                counted.opened_count desc,
                counted.comment_count desc,
                people.login asc
        ) as integer) as position,
        people.login,
        counted.authored_count,
        counted.opened_count,
        counted.merged_count,
        counted.comment_count,
        counted.opened_count + counted.merged_count + counted.comment_count > 0
            as is_active,
        known.affiliation as author_affiliation,
        known.source as affiliation_source

    from counted

    inner join people
        on counted.person_id = people.person_id

    left join known
        on
            counted.window_id = known.window_id
            and counted.person_id = known.person_id

)

select * from joined
