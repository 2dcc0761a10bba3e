{{ config(materialized='table') }}

with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

voices as (

    select
        thread_id,
        thread_id as voice_id,
        author_id,
        author_association,
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
        comments.author_association,
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
        coalesce(associations.is_maintainer, false) as is_maintainer

    from voices

    left join associations
        on voices.author_association = associations.author_association

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

gathered as (

    select
        as_of_window_ends.window_id,
        as_of_window_ends.thread_id,
        any_value(as_of_window_ends.as_of_at) as as_of_at,
        count(distinct sequenced.author_id) filter (where not sequenced.is_maintainer)
            as reporter_count,
        min(sequenced.created_at) filter (where sequenced.is_answer)
            as first_answer_at,
        max(sequenced.created_at) filter (where sequenced.is_maintainer)
            as maintainer_spoke_at,
        max(sequenced.created_at) filter (where sequenced.is_start_of_wait)
            as last_wait_began_at

    from as_of_window_ends

    inner join sequenced
        on
            as_of_window_ends.thread_id = sequenced.thread_id
            and as_of_window_ends.as_of_at > sequenced.created_at

    group by as_of_window_ends.window_id, as_of_window_ends.thread_id

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
