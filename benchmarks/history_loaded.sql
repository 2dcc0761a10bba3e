-- What a sync leaves in the warehouse that read everything in [since, until): the rows
-- that are new, and anew those of the threads on which something happened.
set variable repository = 'vllm-project/vllm';

create or replace temp table told as
select
    *,
    row_number() over (partition by number, event order by id) as turn
from happenings
where happened_at < getvariable('until');

create or replace temp table moved as
select number from told where happened_at >= getvariable('since')
union
select number from talk
where created_at >= getvariable('since') and created_at < getvariable('until')
union
select number from life
where created_at >= getvariable('since') and created_at < getvariable('until');

create or replace temp table current_labels as
select number, list(label order by first_id) as labels
from (
    select number, label, arg_max(event, id) as event, min(id) as first_id
    from told where label is not null group by number, label
) as last_told
where event = 'labeled'
group by number;

create or replace temp table current_states as
select
    number,
    arg_max(event, id) filter (where event in ('closed', 'reopened')) as event,
    max(happened_at) filter (where event = 'closed') as closed_at,
    max(happened_at) filter (where event = 'merged') as merged_at,
    count(*) filter (where event = 'renamed') as renamed_count,
    max(happened_at) as last_event_at
from told
group by number;

delete from raw_github.issues where number in (select number from moved);

insert into raw_github.issues (
    repository, number, id, title, body, state, user_id, user_login, user_type,
    author_association, labels, is_pull_request, merged_at, is_draft, is_locked,
    comment_count, created_at, updated_at, closed_at, html_url, fetched_at
)
select
    getvariable('repository'),
    life.number,
    life.number + 1000000,
    life.title || repeat('.', coalesce(renamed_count, 0)::int),
    life.body,
    if(states.event = 'closed', 'closed', 'open'),
    people.person_id,
    people.login,
    people.type,
    people.association,
    coalesce(labels.labels, [])::json,
    life.is_pull_request,
    states.merged_at,
    false,
    false,
    0,
    life.created_at,
    greatest(life.created_at, states.last_event_at),
    if(states.event = 'closed', states.closed_at, null),
    'https://github.com/' || getvariable('repository') || '/issues/' || life.number,
    getvariable('until')
from life
inner join moved using (number)
inner join people using (person_id)
left join current_labels as labels using (number)
left join current_states as states using (number)
where life.created_at < getvariable('until');

insert into raw_github.issue_comments (
    repository, id, number, user_id, user_login, user_type, author_association, body,
    created_at, updated_at, html_url, fetched_at
)
select
    getvariable('repository'), talk.id, talk.number, people.person_id, people.login,
    people.type, people.association, talk.body, talk.created_at, talk.created_at,
    'https://github.com/' || getvariable('repository') || '/issues/' || talk.number
    || '#issuecomment-' || talk.id,
    getvariable('until')
from talk
inner join people using (person_id)
where
    not talk.is_review_comment
    and talk.created_at >= getvariable('since')
    and talk.created_at < getvariable('until');

insert into raw_github.review_comments (
    repository, id, number, user_id, user_login, user_type, author_association, body,
    created_at, updated_at, html_url, path, fetched_at
)
select
    getvariable('repository'), talk.id, talk.number, people.person_id, people.login,
    people.type, people.association, talk.body, talk.created_at, talk.created_at,
    'https://github.com/' || getvariable('repository') || '/pull/' || talk.number
    || '#discussion_r' || talk.id,
    'engine/core.py', getvariable('until')
from talk
inner join people using (person_id)
where
    talk.is_review_comment
    and talk.created_at >= getvariable('since')
    and talk.created_at < getvariable('until');

insert into raw_github.issue_events (
    repository, id, number, event, actor_id, actor_login, actor_type, label_name,
    rename_from, rename_to, created_at, fetched_at
)
select
    getvariable('repository'), told.id, told.number, told.event, people.person_id,
    people.login, people.type, told.label,
    if(told.event = 'renamed', life.title || repeat('.', told.turn::int - 1), null),
    if(told.event = 'renamed', life.title || repeat('.', told.turn::int), null),
    told.happened_at, getvariable('until')
from told
inner join life using (number)
inner join people on somebody(told.id, 44) = people.person_id
where told.happened_at >= getvariable('since');

-- A day also brings edits: of comments of the week before, of a few bodies, of a login.
update raw_github.issue_comments
set
    body = body || ' Edited: it is the cache.',
    updated_at = getvariable('until') - interval '1 hour',
    fetched_at = getvariable('until')
where
    getvariable('since') > timestamptz '2000-01-01 00:00:00+00'
    and created_at >= getvariable('since') - interval '7 days'
    and created_at < getvariable('since')
    and id % 200 = 0;

update raw_github.issues
set body = body || ' Edited.', updated_at = getvariable('until'), fetched_at = getvariable('until')
where
    getvariable('since') > timestamptz '2000-01-01 00:00:00+00'
    and number in (select number from moved)
    and number % 30 = 0;

update raw_github.issue_comments
set user_login = user_login || '-renamed', fetched_at = getvariable('until')
where
    getvariable('since') > timestamptz '2000-01-01 00:00:00+00'
    and created_at >= getvariable('since')
    and user_id in (2001, 2002);

delete from raw_github.coverage;
insert into raw_github.coverage
select 'vllm', stream, moment(0) - interval '1 day', getvariable('until'), getvariable('until')
from unnest(['threads', 'issue_comments', 'review_comments', 'issue_events']) as streams (stream);
