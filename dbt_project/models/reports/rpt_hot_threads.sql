{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

window_comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

comments as (

    select * from {{ ref('comments') }}

),

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

reviews as (

    select * from {{ ref('reviews') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

people_roles as (

    select * from {{ ref('int_people_roles') }}

),

hot_threads as (

    select
        thread_windows.*,
        windows.window_start_at,
        windows.window_end_at,
        threads.author_id,
        threads.author_login,
        threads.url,
        threads.created_at as opened_at,
        as_of_window_ends.title,
        as_of_window_ends.status,
        as_of_window_ends.status_at

    from thread_windows

    inner join windows
        on thread_windows.window_id = windows.window_id

    inner join threads
        on thread_windows.thread_id = threads.thread_id

    -- What came to be after the window's end cannot be shown as of it.
    inner join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    where
        thread_windows.human_comment_count
        >= {{ var('min_hot_thread_comments') }}

    qualify row_number() over (
        partition by thread_windows.window_id
        order by thread_windows.heat_rank
    ) <= {{ var('max_hot_threads') }}

),

spoken as (

    select
        hot_threads.window_id,
        hot_threads.thread_id,
        window_comments.author_key,
        window_comments.is_bot,
        comments.comment_id,
        coalesce(comments.author_login, 'ghost') as author_login,
        comments.created_at,
        comments.url,
        not window_comments.is_bot
        and not comments.is_minimized
        and not comments.is_deleted as is_quotable,
        case
            when window_comments.is_bot then 'automation'
            when comments.author_id = hot_threads.author_id then 'author'
            when people_roles.is_maintainer then 'maintainer'
            when people_roles.strongest_association = 'CONTRIBUTOR' then 'contributor'
            else 'other'
        end as role

    from hot_threads

    inner join window_comments
        on
            hot_threads.window_id = window_comments.window_id
            and hot_threads.thread_id = window_comments.thread_id

    inner join comments
        on window_comments.comment_id = comments.comment_id

    left join people_roles
        on
            hot_threads.project = people_roles.project
            and comments.author_id = people_roles.person_id

),

people_counted as (

    select
        window_id,
        thread_id,
        author_key,
        any_value(author_login) as login,
        any_value(role) as role,
        count(*) as comment_count,
        min(created_at) as first_comment_at,
        max(created_at) as last_comment_at

    from spoken

    group by window_id, thread_id, author_key

),

people_listed as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{
                'login': login,
                'role': role,
                'comment_count': comment_count,
                'first_comment_at': first_comment_at,
                'last_comment_at': last_comment_at
            }",
            ['-comment_count', 'login']
        ) }}[:{{ var('max_discussion_people') }}] as people

    from people_counted

    where role != 'automation'

    group by window_id, thread_id

),

roles_counted as (

    select
        window_id,
        thread_id,
        role,
        count(*) as person_count,
        cast(sum(comment_count) as bigint) as comment_count

    from people_counted

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
                'comment_count': comment_count
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

quotable as (

    select
        spoken.*,
        {{ plain_text('texts.visible_text') }} as text

    from spoken

    inner join texts
        on
            spoken.comment_id = texts.text_id
            and texts.signal = 'comment'

    where spoken.is_quotable

),

reasoned as (

    select
        *,
        case
            when row_number() over in_order = 1 then 'first'
            when
                row_number() over in_order
                = count(*) over (partition by window_id, thread_id)
                then 'last'
            when role = 'maintainer' then 'maintainer'
            when regexp_matches(text, '(^|[^\w&])#[1-9][0-9]*\b') then 'cites'
        end as reason

    from quotable

    where length(text) > 2

    window in_order as (
        partition by window_id, thread_id
        order by created_at, comment_id
    )

),

numbered as (

    select
        *,
        row_number() over (
            partition by window_id, thread_id, reason
            order by created_at desc, comment_id desc
        ) as position_in_reason

    from reasoned

    where reason is not null

),

-- Where they are too many: the first, the last, and the newest of the others in turn.
chosen as (

    select *

    from numbered

    qualify row_number() over (
        partition by window_id, thread_id
        order by
            position_in_reason,
            list_position(['first', 'last', 'maintainer', 'cites'], reason)
    ) <= {{ var('max_quoted_comments') }}

),

comments_listed as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{
                'comment_id': comment_id,
                'author_login': author_login,
                'role': role,
                'created_at': created_at,
                'reason': reason,
                'excerpt': " ~ excerpted('text', var('excerpt_characters')) ~ ",
                'url': url
            }",
            ['created_at', 'comment_id']
        ) }} as comments

    from chosen

    group by window_id, thread_id

),

named as (

    select
        comments.comment_id,
        comments.thread_id,
        comments.author_id,
        coalesce(comments.author_login, 'ghost') as author_login,
        comments.created_at,
        comments.url,
        regexp_extract_all(
            texts.visible_text,
            '(?:^|[^\w/.`@-])@([A-Za-z0-9][\w-]*[./]?\w?)',
            1
        ) as names

    from comments

    semi join hot_threads
        on comments.thread_id = hot_threads.thread_id

    inner join texts
        on
            comments.comment_id = texts.text_id
            and texts.signal = 'comment'

    where
        not comments.is_bot
        and not comments.is_minimized
        and not comments.is_deleted

),

names as (

    select
        * exclude (names),
        unnest(names) as name,
        generate_subscripts(names, 1) as position

    from named

),

acts as (

    select
        thread_id,
        author_id as person_id,
        created_at as acted_at,
        missing_since_at

    from comments

    union all

    select
        thread_id,
        author_id as person_id,
        submitted_at as acted_at,
        null as missing_since_at

    from reviews

    union all

    select
        thread_id,
        actor_id as person_id,
        occurred_at as acted_at,
        null as missing_since_at

    from thread_events

    -- These happen to a person who is named, by no act of theirs.
    where event not in ('mentioned', 'subscribed')

),

mentions as (

    select
        hot_threads.window_id,
        hot_threads.thread_id,
        names.comment_id,
        names.author_login as mentioned_by,
        names.created_at,
        names.url,
        names.position,
        people.login,
        coalesce(people.person_id = hot_threads.author_id, false)
        or coalesce(people_roles.is_maintainer, false) as has_role,
        max(acts.acted_at) as last_acted_at

    from hot_threads

    inner join names
        on
            hot_threads.thread_id = names.thread_id
            and hot_threads.window_end_at > names.created_at

    inner join people
        on
            lower(people.login) = lower(rtrim(names.name, './'))
            and names.author_id is distinct from people.person_id

    left join people_roles
        on
            hot_threads.project = people_roles.project
            and people.person_id = people_roles.person_id

    left join acts
        on
            hot_threads.thread_id = acts.thread_id
            and people.person_id = acts.person_id
            and hot_threads.window_end_at > acts.acted_at
            and {{ not_missing_at('hot_threads.window_start_at', 'acts') }}

    -- A team (`@org/team`) or a decorator (`@torch.compile`) is nobody.
    where
        hot_threads.status in ('open', 'draft')
        and not people.is_bot
        and not regexp_matches(names.name, '[./]\w$')

    group by all

),

waiting as (

    select
        window_id,
        thread_id,
        {
            'login': login,
            'since_at': created_at,
            'comment_url': url,
            'mentioned_by': mentioned_by
        } as waiting_on

    from mentions

    where
        coalesce(last_acted_at <= created_at, has_role)

    qualify row_number() over (
        partition by window_id, thread_id
        order by created_at desc, comment_id desc, position asc
    ) = 1

),

joined as (

    select
        hot_threads.window_id,
        hot_threads.heat_rank,
        hot_threads.thread_id,
        hot_threads.number,
        hot_threads.kind,
        hot_threads.title,
        hot_threads.author_login,
        hot_threads.url,
        hot_threads.opened_at,
        hot_threads.status,
        hot_threads.status_at,
        hot_threads.comment_count,
        hot_threads.human_comment_count,
        hot_threads.participant_count,
        hot_threads.comments_per_hour,
        hot_threads.comments_per_hour * 24 as comments_per_day,
        hot_threads.peak_hour_comment_count,
        hot_threads.baseline_per_day,
        hot_threads.velocity_ratio,
        hot_threads.baseline_per_day = 0 as is_new_discussion,
        hot_threads.heat_score,
        hot_threads.heat_level,
        people_listed.people,
        roles_listed.roles,
        coalesce(comments_listed.comments, []) as comments,
        waiting.waiting_on,
        hot_threads.listings

    from hot_threads

    inner join people_listed
        on
            hot_threads.window_id = people_listed.window_id
            and hot_threads.thread_id = people_listed.thread_id

    inner join roles_listed
        on
            hot_threads.window_id = roles_listed.window_id
            and hot_threads.thread_id = roles_listed.thread_id

    left join comments_listed
        on
            hot_threads.window_id = comments_listed.window_id
            and hot_threads.thread_id = comments_listed.thread_id

    left join waiting
        on
            hot_threads.window_id = waiting.window_id
            and hot_threads.thread_id = waiting.thread_id

)

select * from joined
