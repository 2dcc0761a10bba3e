{{ config(materialized='table') }}

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

comments as (

    select * from {{ ref('comments') }}

),

people_roles as (

    select * from {{ ref('int_people_roles') }}

),

affected_people as (

    select * from {{ ref('int_affected_people') }}

),

linked as (

    select * from {{ ref('int_linked_threads') }}

),

matches as (

    select * from {{ ref('int_term_matches') }}
    where vocabulary in ('severity', 'change', 'proposal')

),

severities as (

    select * from {{ ref('severities') }}

),

change_words as (

    select * from {{ ref('change_words') }}

),

proposal_words as (

    select * from {{ ref('proposal_words') }}

),

open_threads as (

    select
        thread_windows.window_id,
        thread_windows.thread_id,
        windows.window_end_at,
        threads.project,
        threads.number,
        threads.kind,
        threads.author_id,
        threads.is_bot_author,
        threads.created_at,
        thread_windows.human_comment_count,
        as_of_window_ends.title,
        as_of_window_ends.labels

    from thread_windows

    inner join windows
        on thread_windows.window_id = windows.window_id

    inner join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    inner join threads
        on thread_windows.thread_id = threads.thread_id

    where
        as_of_window_ends.status in ('open', 'draft')
        and (
            thread_windows.human_comment_count > 0
            or list_has_any(thread_windows.listings, ['new_issue', 'new_pr'])
        )

),

labelled as (

    select
        window_id,
        thread_id,
        kind,
        lower(unnest(list_distinct(labels))) as label

    from open_threads

),

-- What kind of thread its prefix says that it is, or a label where it has none.
kinds_named as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        'prefix' as named_by,
        matches.meaning as change_kind

    from open_threads

    inner join matches
        on
            open_threads.thread_id = matches.thread_id
            and open_threads.title = matches.title

    where
        matches.vocabulary = 'change'
        and matches.part = 'prefix'

    union all

    select
        labelled.window_id,
        labelled.thread_id,
        'label' as named_by,
        change_words.change_kind

    from labelled

    inner join change_words
        on labelled.label = lower(change_words.term)

    where change_words.signal = 'label'

),

-- A bug says how bad it is; a feature or a question only names what it speaks of.
not_bugs as (

    select
        window_id,
        thread_id

    from kinds_named

    group by window_id, thread_id

    having
        not coalesce(
            bool_or(change_kind in ('bugfix', 'security'))
            filter (where named_by = 'prefix'),
            bool_or(change_kind in ('bugfix', 'security'))
        )

),

proposals as (

    select
        open_threads.window_id,
        open_threads.thread_id

    from open_threads

    inner join matches
        on
            open_threads.thread_id = matches.thread_id
            and open_threads.title = matches.title

    where
        matches.vocabulary = 'proposal'
        and open_threads.kind = 'issue'

    union

    select
        labelled.window_id,
        labelled.thread_id

    from labelled

    inner join proposal_words
        on labelled.label = lower(proposal_words.term)

    where
        proposal_words.signal = 'label'
        and labelled.kind = 'issue'

),

-- The title decides, and only where it says nothing the body does. Of a pull request
-- the body tells what it repairs.
gravest as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        severities.severity,
        severities.severity_rank,
        lower(matches.matched) as severity_matched,
        matches.signal as severity_signal

    from open_threads

    inner join matches
        on
            open_threads.thread_id = matches.thread_id
            and coalesce(matches.title, open_threads.title) = open_threads.title
            and (matches.signal = 'title' or open_threads.kind = 'issue')

    inner join severities
        on matches.meaning = severities.severity

    anti join not_bugs
        on
            open_threads.window_id = not_bugs.window_id
            and open_threads.thread_id = not_bugs.thread_id

    where matches.vocabulary = 'severity'

    qualify row_number() over (
        partition by open_threads.window_id, open_threads.thread_id
        order by
            matches.signal = 'title' desc,
            severities.severity_rank,
            matches.position asc,
            matches.rule_id asc
    ) = 1

),

affected as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        count(distinct affected_people.person_id) as affected_people_count

    from open_threads

    inner join affected_people
        on
            open_threads.thread_id = affected_people.thread_id
            and open_threads.window_end_at > affected_people.affected_at
            and {{ not_missing_at('open_threads.window_end_at', 'affected_people') }}

    group by open_threads.window_id, open_threads.thread_id

),

voices as (

    select
        window_id,
        thread_id,
        project,
        author_id,
        created_at as said_at

    from open_threads

    where not is_bot_author

    union all

    select
        open_threads.window_id,
        open_threads.thread_id,
        open_threads.project,
        comments.author_id,
        comments.created_at as said_at

    from open_threads

    inner join comments
        on
            open_threads.thread_id = comments.thread_id
            and open_threads.window_end_at > comments.created_at
            and {{ not_missing_at('open_threads.window_end_at', 'comments') }}

    where not comments.is_bot

),

roles_told as (

    select
        voices.window_id,
        voices.thread_id,
        voices.said_at,
        coalesce(people_roles.is_maintainer, false) as is_maintainer

    from voices

    left join people_roles
        on
            voices.project = people_roles.project
            and voices.author_id = people_roles.person_id

),

answered as (

    select
        *,
        max(if(is_maintainer, said_at, null)) over (
            partition by window_id, thread_id
        ) as maintainer_spoke_at

    from roles_told

),

-- The first word since that no maintainer has answered.
waiting as (

    select
        window_id,
        thread_id,
        min(said_at) as waiting_since_at

    from answered

    where
        not is_maintainer
        and coalesce(said_at > maintainer_spoke_at, true)

    group by window_id, thread_id

),

repaired as (

    select distinct
        window_id,
        thread_id

    from linked

    where is_repair

),

joined as (

    select
        open_threads.window_id,
        open_threads.thread_id,
        open_threads.number,
        open_threads.kind,
        open_threads.human_comment_count,
        gravest.severity,
        gravest.severity_rank,
        gravest.severity_matched,
        gravest.severity_signal,
        coalesce(affected.affected_people_count, 0) as affected_people_count,
        waiting.waiting_since_at,
        date_diff('second', waiting.waiting_since_at, open_threads.window_end_at)
        / 86400 as waiting_days,
        proposals.thread_id is not null as is_proposal,
        open_threads.kind = 'issue'
        and proposals.thread_id is null
        and repaired.thread_id is null as is_unlinked

    from open_threads

    left join gravest
        on
            open_threads.window_id = gravest.window_id
            and open_threads.thread_id = gravest.thread_id

    left join affected
        on
            open_threads.window_id = affected.window_id
            and open_threads.thread_id = affected.thread_id

    left join waiting
        on
            open_threads.window_id = waiting.window_id
            and open_threads.thread_id = waiting.thread_id

    left join proposals
        on
            open_threads.window_id = proposals.window_id
            and open_threads.thread_id = proposals.thread_id

    left join repaired
        on
            open_threads.window_id = repaired.window_id
            and open_threads.thread_id = repaired.thread_id

),

reasoned as (

    select
        *,
        list_filter(
            [
                if(severity is not null, 'severity', null),
                if(
                    affected_people_count >= {{ var('watch_min_affected_people') }},
                    'affected_people',
                    null
                ),
                if(
                    waiting_days >= {{ var('watch_min_waiting_days') }}, 'waiting', null
                ),
                if(is_unlinked, 'unlinked', null)
            ],
            lambda reason: reason is not null
        ) as reasons

    from joined

)

select * from reasoned
