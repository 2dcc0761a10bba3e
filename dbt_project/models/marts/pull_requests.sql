with

threads as (

    select * from {{ ref('threads') }}

),

issues as (

    select * from {{ ref('stg_github__threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

pull_details as (

    select * from {{ ref('stg_github__pull_details') }}

),

responses as (

    select * from {{ ref('int_thread_responses') }}

),

reviewed as (

    select
        comments.thread_id,
        min(comments.created_at) as first_review_at,
        count(*) as review_comment_count,
        count(distinct comments.author_id) as review_commenter_count

    from comments

    inner join threads
        on comments.thread_id = threads.thread_id

    where
        comments.comment_kind = 'review_comment'
        and not comments.is_bot
        and not comments.is_deleted
        and comments.author_id is distinct from threads.author_id
        and comments.created_at >= threads.created_at

    group by comments.thread_id

),

mergers as (

    select
        thread_id,
        arg_max(actor_id, event_sequence) as merged_by_id,
        arg_max(actor_login, event_sequence) as merged_by_login

    from thread_events

    where event = 'merged'

    group by thread_id

),

joined as (

    select
        ---------- ids
        threads.thread_id,
        threads.project,
        threads.number,
        threads.author_id,
        mergers.merged_by_id,

        ---------- text
        threads.title,
        threads.author_login,
        issues.first_author_association,
        mergers.merged_by_login,
        responses.response_kind as first_response_kind,
        threads.url,

        ---------- numerics
        pull_details.additions,
        pull_details.deletions,
        pull_details.changed_file_count,
        pull_details.commit_count,
        coalesce(reviewed.review_comment_count, 0) as review_comment_count,
        coalesce(reviewed.review_commenter_count, 0) as review_commenter_count,
        responses.time_to_response_hours as time_to_first_response_hours,
        date_diff('second', threads.created_at, threads.merged_at) / 3600
            as time_to_merge_hours,

        ---------- booleans
        threads.is_draft,
        threads.is_bot_author,
        threads.is_deleted,
        -- A bot is nobody, and of a ghost's nobody knows which is the first.
        threads.author_id is not null
        and not threads.is_bot_author
        and row_number() over (
            partition by threads.project, threads.author_id
            order by threads.created_at, threads.number
        ) = 1 as is_first_of_author,

        ---------- timestamps
        threads.created_at,
        responses.responded_at as first_response_at,
        reviewed.first_review_at,
        threads.closed_at,
        threads.merged_at

    from threads

    inner join issues
        on threads.thread_id = issues.thread_id

    left join reviewed
        on threads.thread_id = reviewed.thread_id

    left join mergers
        on threads.thread_id = mergers.thread_id

    left join pull_details
        on threads.thread_id = pull_details.thread_id

    left join responses
        on
            threads.thread_id = responses.thread_id
            and responses.missing_since_at is null

    where threads.kind = 'pr'

)

select * from joined
