with

cues as (

    select * from {{ ref('int_comments_read_for_cues') }}

),

comments as (

    select * from {{ ref('comments') }}

),

threads as (

    select * from {{ ref('threads') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

automations as (

    select * from {{ ref('automation_accounts') }}

),

asks as (

    select
        cues.*,
        threads.kind,
        threads.author_id as thread_author_id,
        threads.author_login as thread_author_login,
        coalesce(threads.is_bot_author, false) or threads.author_id is null
            as is_nobodys_thread

    from cues

    inner join threads
        on cues.thread_id = threads.thread_id

    where cues.cue = 'asks'

),

-- Who is named, as written; a team, a decorator or a bot is nobody. Spaces are doubled,
-- as two names may share one.
mentions as (

    select
        comment_id,
        unnest(regexp_extract_all(
            replace(sentence, ' ', '  '),
            '(?:^|[\s(,;:])@([A-Za-z0-9][A-Za-z0-9-]*)(?:$|[\s),;:?!]|\.(?:$|\s))',
            1
        )) as login

    from asks

),

named as (

    select
        asks.comment_id,
        list_sort(list(distinct mentions.login)) as logins,
        list(distinct lower(mentions.login)) as lowered_logins,
        bool_or(lower(mentions.login) = lower(asks.thread_author_login)) as is_author

    from asks

    inner join mentions
        on asks.comment_id = mentions.comment_id

    anti join automations
        on lower(mentions.login) = lower(automations.login)

    where
        not ends_with(lower(mentions.login), 'bot')
        and lower(mentions.login) is distinct from lower(asks.author_login)

    group by asks.comment_id

),

-- An ask that names nobody is the author's to answer if a maintainer puts it, or if
-- their change is discussed; else the maintainers'.
addressed as (

    select
        asks.*,
        named.logins,
        named.lowered_logins,
        case
            when named.is_author then 'author'
            when named.logins is not null then 'person'
            when
                asks.role != 'author'
                and (asks.role = 'maintainer' or asks.kind = 'pr')
                then 'author'
            else 'maintainer'
        end as waiting_on,
        named.logins is null and asks.role not in ('author', 'maintainer')
            as is_a_passers_by

    from asks

    left join named
        on asks.comment_id = named.comment_id

),

voices as (

    select
        comments.thread_id,
        comments.author_id,
        comments.author_login,
        comments.created_at,
        coalesce(associations.is_maintainer, false) as is_maintainer

    from comments

    left join associations
        on comments.author_association = associations.author_association

    where not comments.is_bot

),

answered as (

    select
        addressed.comment_id,
        min(voices.created_at) as answered_at

    from addressed

    inner join voices
        on
            addressed.thread_id = voices.thread_id
            and addressed.created_at < voices.created_at

    where
        (
            (addressed.waiting_on = 'author' or addressed.is_a_passers_by)
            and voices.author_id = addressed.thread_author_id
        )
        or (
            (addressed.waiting_on = 'maintainer' or addressed.is_a_passers_by)
            and voices.is_maintainer
            and voices.author_id is distinct from addressed.author_id
        )
        or (
            addressed.waiting_on = 'person'
            and list_contains(addressed.lowered_logins, lower(voices.author_login))
        )

    group by addressed.comment_id

),

joined as (

    select
        addressed.thread_id,
        addressed.comment_id,
        addressed.author_login,
        addressed.role,
        addressed.created_at,
        addressed.url,
        addressed.sentence,
        addressed.waiting_on,
        case addressed.waiting_on
            when 'author' then [addressed.thread_author_login]
            when 'person' then addressed.logins
            else []
        end as waiting_on_logins,
        answered.answered_at

    from addressed

    left join answered
        on addressed.comment_id = answered.comment_id

    -- Nobody waits for an automation, or for an account that is gone.
    where not (addressed.waiting_on = 'author' and addressed.is_nobodys_thread)

)

select * from joined
