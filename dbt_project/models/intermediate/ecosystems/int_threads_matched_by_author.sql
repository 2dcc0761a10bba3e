with

versions as (

    select * from {{ ref('int_thread_versions') }}

),

threads as (

    select * from {{ ref('threads') }}

),

rules as (

    select * from {{ ref('ecosystem_people') }}

),

matched as (

    select
        versions.version_id,
        rules.ecosystem,
        rules.rule_id,
        'author' as signal,
        threads.author_login as matched,
        rules.strength

    from versions

    inner join threads
        on versions.thread_id = threads.thread_id

    inner join rules
        on case rules.match_kind
            when 'login_part'
                then list_contains(
                    string_split_regex(lower(threads.author_login), '[-_]'),
                    rules.login
                )
            else lower(threads.author_login) = lower(rules.login)
        end

    where
        not threads.is_bot_author
        and coalesce(threads.created_at >= rules.valid_from, true)
        and coalesce(threads.created_at < rules.valid_until, true)

)

select * from matched
