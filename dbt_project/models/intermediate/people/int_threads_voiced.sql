{{ config(materialized='table') }}

with

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

roles as (

    select * from {{ ref('int_people_roles') }}

),

voices as (

    select
        thread_id,
        thread_id as voice_id,
        author_id,
        project,
        created_at,
        false as is_answer

    from threads

    where not is_bot_author

    union all

    -- A ghost may be the author of a ghost's thread: nobody can tell, so no answer.
    select
        comments.thread_id,
        comments.comment_id as voice_id,
        comments.author_id,
        comments.project,
        comments.created_at,
        (comments.author_id is distinct from threads.author_id) as is_answer

    from comments

    inner join threads
        on comments.thread_id = threads.thread_id

    where not comments.is_bot

),

told_apart as (

    select
        voices.*,
        coalesce(roles.is_maintainer, false) as is_maintainer

    from voices

    semi join as_of_window_ends
        on voices.thread_id = as_of_window_ends.thread_id

    left join roles
        on
            voices.project = roles.project
            and voices.author_id = roles.person_id

),

-- The wait begins with the first word to which no maintainer has answered.
sequenced as (

    select
        *,
        not is_maintainer
        and coalesce(
            lag(is_maintainer) over (
                partition by thread_id
                order by created_at, voice_id
            ),
            true
        ) as is_start_of_wait

    from told_apart

),

-- Where a thread stands after each voice. Who reports is counted at the first report.
flagged as (

    select
        *,
        not is_maintainer
        and author_id is not null
        and row_number() over (
            partition by thread_id, author_id, is_maintainer
            order by created_at, voice_id
        ) = 1 as is_new_reporter

    from sequenced

),

summed as (

    select
        thread_id,
        created_at,
        count(*) filter (where is_new_reporter) as new_reporter_count,
        bool_or(is_answer) as is_answer,
        bool_or(is_maintainer) as is_maintainer,
        bool_or(is_start_of_wait) as is_start_of_wait

    from flagged

    group by thread_id, created_at

),

running as (

    select
        thread_id,
        created_at,
        cast(sum(new_reporter_count) over said_by_then as bigint) as reporter_count,
        min(case when is_answer then created_at end) over said_by_then
            as first_answer_at,
        max(case when is_maintainer then created_at end) over said_by_then
            as maintainer_spoke_at,
        max(case when is_start_of_wait then created_at end) over said_by_then
            as last_wait_began_at

    from summed

    window said_by_then as (
        partition by thread_id
        order by created_at
    )

),

gathered as (

    select
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        running.reporter_count,
        running.first_answer_at,
        running.maintainer_spoke_at,
        running.last_wait_began_at

    from as_of_window_ends

    asof inner join running
        on
            as_of_window_ends.thread_id = running.thread_id
            and as_of_window_ends.as_of_at > running.created_at

),

judged as (

    select
        window_id,
        thread_id,
        reporter_count,
        first_answer_at,
        maintainer_spoke_at,
        case
            when coalesce(last_wait_began_at >= maintainer_spoke_at, true)
                then last_wait_began_at
        end as waiting_since_at

    from gathered

)

select * from judged
