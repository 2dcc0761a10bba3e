-- A repository's whole life, made up: `threads_count`, `comments_count`, `events_count`
-- and `days` are set before. Drawn by hashes, so that it is the same every time.
create or replace macro draw(key, salt) as
    (hash(key * 1000003 + salt) % 1000000) / 1000000.0;

create or replace macro moment(share) as
    timestamptz '2026-03-05 03:24:00+00'
    - to_seconds(cast((1 - share) * getvariable('days') * 86400 as bigint));

create or replace macro pick(items, key, salt) as
    items[1 + cast(floor(draw(key, salt) * len(items)) as integer)];

-- One sentence in thirty names an ecosystem's hardware or software.
create or replace macro sentence(key, salt) as case
when draw(key, salt + 500) < 0.015 then 'We see the same on MI300X with ROCm 6.3.'
when draw(key, salt + 500) < 0.035 then 'CUDA graphs hide the cost, so measure it without.'
else pick([
    'I can reproduce this on main with eight workers.',
    'The scheduler copies the block table on every step.',
    'Thanks, that explains the difference in throughput.',
    'Could you rebase this and add a test for the empty batch?',
    'It fails when the prompt is longer than the context window.',
    'The kernel reads past the end of the page for odd head sizes.',
    'This changes the default, so it wants a line in the docs.',
    'Numbers before and after are in the table above.',
    'A smaller model runs without any error on the same machine.',
    'Please split the refactoring from the fix.',
    'The cache is never emptied when a request is aborted.',
    'Let us discuss this at the next meeting.'
], key, salt) end;

create or replace temp table people as
select
    number as person_id,
    case when number % 97 = 0 then 'dev-' || number || '-amd'
        when number % 89 = 0 then 'helper-' || number || '[bot]'
        else 'dev-' || number end as login,
    case when number % 89 = 0 then 'Bot' else 'User' end as type,
    case when number % 23 = 0 then 'MEMBER' when number % 3 = 0 then 'CONTRIBUTOR'
        else 'NONE' end as association
from range(1, 4001) as numbers (number);

create or replace macro somebody(key, salt) as
    1 + cast(floor(pow(draw(key, salt), 3) * 3999) as bigint);

create or replace temp table life as
with opened as (
    select
        number,
        moment(number / (getvariable('threads_count') + 1)) as created_at,
        draw(number, 1) < 0.6 as is_pull_request,
        somebody(number, 2) as person_id
    from range(1, getvariable('threads_count') + 1) as numbers (number)
),
ended as (
    select
        *,
        case when draw(number, 3) < 0.93 then
            created_at + to_seconds(cast(pow(draw(number, 4), 3) * 60 * 86400 as bigint) + 60)
        end as ended_at,
        draw(number, 5) < 0.75 as is_merged
    from opened
)
select
    *,
    pick(['[Bugfix] ', '[Core] ', '[ROCm] ', '[Doc] ', '[Kernel] ', '[Bug]: ', '[Frontend] ',
        '[CI/Build] ', '[Model] ', '[V1] ', '', ''], number, 6)
    || pick(['Fix crash in', 'Speed up', 'Support', 'Wrong output of', 'Refactor', 'Add a test for',
        'Memory leak in', 'Clean up'], number, 7)
    || ' ' || pick(['paged attention', 'the scheduler', 'fp8 weights', 'the prefix cache',
        'tool calls', 'pipeline parallelism', 'quantized MoE', 'the metrics'], number, 8)
    || ' ' || number as title,
    case when is_pull_request then
        '## Purpose' || chr(10) || chr(10) || sentence(number, 9) || ' ' || sentence(number, 10)
        || case when draw(number, 11) < 0.5 and number > 300
            then ' Fixes #' || (number - 1 - cast(floor(draw(number, 12) * 250) as bigint)) || '.'
            else '' end
        || chr(10) || chr(10) || '## Test Plan' || chr(10) || '```' || chr(10) || 'pytest tests/core'
        || chr(10) || '```' || chr(10) || sentence(number, 13)
    else
        '### Your current environment' || chr(10) || '<details>' || chr(10) || '```text' || chr(10)
        || 'ROCM used to build PyTorch : N/A' || chr(10) || 'CPU: AMD EPYC' || chr(10)
        || repeat('[pip3] numpy==1.26.4' || chr(10), 30) || '```' || chr(10) || '</details>'
        || chr(10) || '### Describe the bug' || chr(10) || sentence(number, 9) || ' '
        || sentence(number, 10) || ' ' || sentence(number, 13)
        || case when draw(number, 11) < 0.2 and number > 300
            then ' Like #' || (number - 1 - cast(floor(draw(number, 12) * 250) as bigint)) else '' end
    end as body
from ended;

create or replace temp table talk as
with spoken as (
    select
        id,
        moment(id / (getvariable('comments_count') + 1)) as created_at,
        greatest(1, cast(floor(
            id / getvariable('comments_count') * getvariable('threads_count')
            - pow(draw(id, 20), 5) * 3000
        ) as bigint)) as number,
        case when draw(id, 21) < 0.15 then 89 else somebody(id, 22) end as person_id
    from range(1, getvariable('comments_count') + 1) as ids (id)
)
select
    spoken.*,
    life.is_pull_request and draw(id, 23) < 0.35 as is_review_comment,
    sentence(id, 24) || ' ' || sentence(id, 25) || case when draw(id, 26) < 0.4
        then chr(10) || '> ' || sentence(id, 27) || chr(10) || chr(10) || sentence(id, 28)
        else '' end
    || case when draw(id, 29) < 0.08 and number > 300
        then ' See #' || (number - 1 - cast(floor(draw(id, 30) * 250) as bigint)) || '.' else '' end
    as body
from spoken
inner join life using (number)
where spoken.created_at > life.created_at;

create or replace temp table happenings as
with ends as (
    select number, 'merged' as event, ended_at as happened_at, null as label
    from life where is_pull_request and is_merged and ended_at is not null
    union all
    select number, 'closed', ended_at, null from life where ended_at is not null
    union all
    select number, 'reopened', ended_at + interval '5 hours', null
    from life where ended_at is not null and not is_merged and draw(number, 40) < 0.03
),
others as (
    select
        number,
        pick(['labeled', 'labeled', 'labeled', 'unlabeled', 'subscribed', 'mentioned',
            'subscribed', 'assigned', 'referenced', 'head_ref_force_pushed', 'subscribed',
            'mentioned', 'review_requested', 'renamed'], number * 64 + step, 41) as event,
        created_at + to_seconds(cast(
            pow(draw(number * 64 + step, 42), 4) * 30 * 86400 as bigint
        )) as happened_at,
        pick(['bug', 'rocm', 'v1', 'ready', 'stale', 'frontend', 'documentation', 'ci/build',
            'performance', 'new-model'], number * 64 + step, 43) as label
    from life
    cross join range(cast(
        (getvariable('events_count') - 1.6 * getvariable('threads_count'))
        / getvariable('threads_count') as bigint
    )) as steps (step)
),
stacked as (
    select * from ends
    union all
    select number, event, happened_at, case when event in ('labeled', 'unlabeled') then label end
    from others
)
select row_number() over (order by happened_at, number, event, label) as id, *
from stacked;
