{{ config(materialized='incremental', incremental_strategy='by_window') }}

with

windows as (

    select * from {{ ref('windows') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}
    {{ of_touched_windows() }}

),

placed as (

    select * from {{ ref('int_comments_placed_in_windows') }}

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

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

asks as (

    select * from {{ ref('int_asks_answered') }}

),

cues as (

    select * from {{ ref('int_comments_read_for_cues') }}

),

quoted as (

    select * from {{ ref('rpt_hot_thread_comments') }}

),

spoken as (

    select
        hot_threads.window_id,
        hot_threads.thread_id,
        placed.author_key,
        comments.author_login,
        comments.comment_id,
        comments.created_at,
        case
            when placed.is_bot then 'automation'
            else {{ role_of_author(
                'comments.author_id',
                'threads.author_id',
                'associations.is_maintainer',
                'comments.author_association'
            ) }}
        end as role

    from hot_threads

    inner join placed
        on
            hot_threads.window_id = placed.window_id
            and hot_threads.thread_id = placed.thread_id

    inner join comments
        on placed.comment_id = comments.comment_id

    left join threads
        on hot_threads.thread_id = threads.thread_id

    left join associations
        on comments.author_association = associations.author_association

),

roles_counted as (

    select
        window_id,
        thread_id,
        role,
        count(distinct author_key) as person_count,
        count(*) as comment_count,
        max(created_at) as last_comment_at

    from spoken

    group by window_id, thread_id, role

),

roles_listed as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{
                'role': role,
                'person_count': person_count,
                'comment_count': comment_count,
                'last_comment_at': last_comment_at
            }",
            [
                "list_position(
                    ['author', 'maintainer', 'contributor', 'other', 'automation'],
                    role
                )"
            ]
        ) }} as roles

    from roles_counted

    group by window_id, thread_id

),

last_words as (

    select *

    from spoken

    where role != 'automation'

    qualify row_number() over (
        partition by window_id, thread_id
        order by created_at desc, comment_id desc
    ) = 1

),

-- What was said before the window's end counts, however long before.
positions as (

    select
        hot_threads.window_id,
        cues.*,
        row_number() over (
            partition by
                hot_threads.window_id,
                cues.thread_id,
                cues.cue,
                coalesce(cast(cues.author_id as varchar), 'ghost')
            order by cues.created_at desc, cues.comment_id desc
        ) as turn

    from hot_threads

    inner join windows
        on hot_threads.window_id = windows.window_id

    inner join cues
        on
            hot_threads.thread_id = cues.thread_id
            and windows.window_end_at > cues.created_at

    where cues.cue != 'asks'

),

positions_ordered as (

    select
        positions.* exclude (sentence),
        coalesce(positions.author_login, 'ghost') as login,
        {{ excerpted('positions.sentence', var('excerpt_characters')) }} as sentence,
        quoted.comment_id is not null as is_quoted,
        row_number() over (
            partition by positions.window_id, positions.thread_id, positions.cue
            order by positions.created_at desc, positions.comment_id desc
        ) as place

    from positions

    left join quoted
        on
            positions.window_id = quoted.window_id
            and positions.comment_id = quoted.comment_id

    where positions.turn = 1

),

cues_listed as (

    select
        window_id,
        thread_id,
        cue,
        count(*) as person_count,
        {{ listed_in_order(
            "{
                'login': login,
                'role': role,
                'said_at': created_at,
                'sentence': sentence,
                'url': url,
                'is_quoted': is_quoted
            }",
            ['place']
        ) }}[:{{ var('named_people_count') }}] as people

    from positions_ordered

    group by window_id, thread_id, cue

),

positions_listed as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{'cue': cue, 'person_count': person_count, 'people': people}",
            [
                "list_position(
                    ['decides', 'proposes_fix', 'reproduces', 'agrees', 'disagrees'],
                    cue
                )"
            ]
        ) }} as positions

    from cues_listed

    group by window_id, thread_id

),

asks_open as (

    select
        hot_threads.window_id,
        asks.*,
        count(*) over (
            partition by hot_threads.window_id, hot_threads.thread_id
        ) as open_ask_count

    from hot_threads

    inner join windows
        on hot_threads.window_id = windows.window_id

    inner join asks
        on
            hot_threads.thread_id = asks.thread_id
            and windows.window_end_at > asks.created_at
            and coalesce(windows.window_end_at <= asks.answered_at, true)

    where hot_threads.status in ('open', 'draft')

    qualify row_number() over (
        partition by hot_threads.window_id, hot_threads.thread_id
        order by asks.created_at desc, asks.comment_id desc
    ) = 1

),

joined as (

    select
        hot_threads.window_id,
        hot_threads.thread_id,
        case
            when hot_threads.status not in ('open', 'draft') then 'settled'
            when asks_open.comment_id is not null then 'asked'
            when hot_threads.status = 'draft' then 'draft'
            when voiced.waiting_since_at is not null then 'unanswered'
            else 'none'
        end as waiting_basis,
        threads.author_login,
        asks_open.waiting_on as asked_whom,
        asks_open.waiting_on_logins as asked_logins,
        asks_open.created_at as asked_at,
        asks_open.author_login as asked_by,
        asks_open.role as asked_by_role,
        {{ excerpted('asks_open.sentence', var('excerpt_characters')) }} as ask,
        asks_open.url as ask_url,
        coalesce(asks_open.open_ask_count, 0) as open_ask_count,
        voiced.waiting_since_at as unanswered_since_at,
        last_words.author_login as last_word_by,
        last_words.role as last_word_role,
        last_words.created_at as last_word_at,
        roles_listed.roles,
        coalesce(positions_listed.positions, []) as positions

    from hot_threads

    left join threads
        on hot_threads.thread_id = threads.thread_id

    left join voiced
        on
            hot_threads.window_id = voiced.window_id
            and hot_threads.thread_id = voiced.thread_id

    left join asks_open
        on
            hot_threads.window_id = asks_open.window_id
            and hot_threads.thread_id = asks_open.thread_id

    left join last_words
        on
            hot_threads.window_id = last_words.window_id
            and hot_threads.thread_id = last_words.thread_id

    left join roles_listed
        on
            hot_threads.window_id = roles_listed.window_id
            and hot_threads.thread_id = roles_listed.thread_id

    left join positions_listed
        on
            hot_threads.window_id = positions_listed.window_id
            and hot_threads.thread_id = positions_listed.thread_id

)

select
    window_id,
    thread_id,
    waiting_basis,
    case waiting_basis
        when 'asked' then asked_whom
        when 'draft' then 'author'
        when 'unanswered' then 'maintainer'
    end as waiting_on,
    case waiting_basis
        when 'asked' then asked_logins
        when 'draft' then [coalesce(author_login, 'ghost')]
        else []
    end as waiting_on_logins,
    case waiting_basis
        when 'asked' then asked_at
        when 'unanswered' then unanswered_since_at
    end as waiting_since_at,
    if(waiting_basis = 'asked', coalesce(asked_by, 'ghost'), null) as asked_by,
    asked_by_role,
    ask,
    ask_url,
    open_ask_count,
    coalesce(last_word_by, 'ghost') as last_word_by,
    last_word_role,
    last_word_at,
    roles,
    positions

from joined
