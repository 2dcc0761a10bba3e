{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

listed as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

placed_comments as (

    select * from {{ ref('int_window_comments') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

thread_events as (

    select * from {{ ref('thread_events') }}

),

comments as (

    select * from {{ ref('comments') }}

),

pull_requests as (

    select * from {{ ref('pull_requests') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

associations as (

    select * from {{ ref('author_associations') }}

),

responses as (

    select * from {{ ref('int_thread_responses') }}

),

backlogs as (

    select * from {{ ref('int_backlogs_counted') }}

),

traced as (

    select * from {{ ref('int_windows_traced_to_start') }}

),

listings_counted as (

    select
        listed.window_id,
        count(*) filter (where listed.listing = 'new_issue') as new_issue_count,
        count(*) filter (where listed.listing = 'closed_issue') as closed_issue_count,
        count(*) filter (where listed.listing = 'new_pr') as new_pr_count,
        count(*) filter (where listed.listing = 'merged_pr') as merged_pr_count,
        count(*) filter (where listed.listing = 'closed_unmerged_pr')
            as closed_unmerged_pr_count,
        median(date_diff('second', threads.created_at, listed.event_at) / 3600)
        filter (where listed.listing = 'merged_pr')
            as time_to_merge_hours_median,
        quantile_cont(
            date_diff('second', threads.created_at, listed.event_at) / 3600, 0.9
        ) filter (where listed.listing = 'merged_pr') as time_to_merge_hours_p90

    from listed

    inner join threads
        on listed.thread_id = threads.thread_id

    group by listed.window_id

),

-- Nobody is one twice: only the first pull request known of a person can make one.
first_timers_listed as (

    select
        listed.window_id,
        {{ listed_in_order(
            'pull_requests.author_login',
            ['lower(pull_requests.author_login)', 'pull_requests.author_login']
        ) }} as first_timers

    from listed

    inner join pull_requests
        on listed.thread_id = pull_requests.thread_id

    left join associations
        on
            pull_requests.first_author_association
            = associations.author_association

    left join traced
        on listed.window_id = traced.window_id

    where
        listed.listing = 'new_pr'
        and pull_requests.is_first_of_author
        and (traced.window_id is not null or associations.is_first_timer)

    group by listed.window_id

),

said as (

    select
        placed_comments.window_id,
        placed_comments.is_bot,
        comments.author_id as person_id,
        (
            comments.comment_kind = 'review_comment'
            and comments.author_id is distinct from threads.author_id
        ) as is_review,
        cast(
            floor(
                date_diff('second', windows.window_start_at, comments.created_at) / 3600
            ) as integer
        ) as hour_offset

    from placed_comments

    inner join windows
        on placed_comments.window_id = windows.window_id

    inner join comments
        on placed_comments.comment_id = comments.comment_id

    left join threads
        on placed_comments.thread_id = threads.thread_id

),

hours_counted as (

    select
        window_id,
        hour_offset,
        count(*) filter (where not is_bot) as human_comment_count,
        count(*) filter (where is_bot) as bot_comment_count

    from said

    group by window_id, hour_offset

),

comments_counted as (

    select
        window_id,
        cast(sum(human_comment_count) as bigint) as human_comment_count,
        cast(sum(bot_comment_count) as bigint) as bot_comment_count,
        nullif(max(human_comment_count), 0) as busiest_hour_comment_count,
        -- Of equal hours the first.
        arg_max(hour_offset, (human_comment_count, -hour_offset)) as busiest_hour_offset

    from hours_counted

    group by window_id

),

commenters as (

    select
        said.window_id,
        people.login,
        count(*) as comment_count,
        count(*) filter (where said.is_review) as review_comment_count

    from said

    inner join people
        on said.person_id = people.person_id

    where not said.is_bot

    group by said.window_id, people.login

),

commenters_ranked as (

    select
        *,
        row_number() over (
            partition by window_id
            order by comment_count desc, login asc
        ) as comment_rank,
        row_number() over (
            partition by window_id
            order by review_comment_count desc, login asc
        ) as review_rank

    from commenters

),

commenters_listed as (

    select
        window_id,
        count(*) filter (where review_comment_count > 0) as review_commenter_count,
        list(
            {'login': login, 'count': comment_count}
            order by comment_rank
        )
        filter (where comment_rank <= {{ var('named_people_count') }})
            as top_commenters,
        list(
            {'login': login, 'count': review_comment_count}
            order by review_rank
        )
        filter (
            where
            review_comment_count > 0
            and review_rank <= {{ var('named_people_count') }}
        ) as top_review_commenters

    from commenters_ranked

    group by window_id

),

-- A ghost has no identity, so nobody knows whether it was here before.
contributors_counted as (

    select
        window_id,
        count(distinct person_id) as contributor_count

    from (
        select
            listed.window_id,
            threads.author_id as person_id

        from listed

        inner join threads
            on listed.thread_id = threads.thread_id

        where
            listed.listing in ('new_issue', 'new_pr', 'merged_pr')
            and not threads.is_bot_author

        union all

        select
            window_id,
            person_id

        from said

        where not is_bot
    ) as acts

    group by window_id

),

reopenings_counted as (

    select
        windows.window_id,
        count(distinct thread_events.thread_id) as reopened_count

    from windows

    inner join thread_events
        on
            windows.project = thread_events.project
            and {{ falls_within('thread_events.occurred_at') }}

    where thread_events.event = 'reopened'

    group by windows.window_id

),

-- Of a thread the first response that was still there at the window's end.
responded as (

    select
        windows.window_id,
        arg_min(responses.time_to_response_hours, responses.responded_at) as hours

    from windows

    inner join threads
        on
            windows.project = threads.project
            and windows.window_end_at > threads.created_at
            and not threads.is_bot_author
            and {{ not_missing_at('windows.window_end_at') }}

    inner join responses
        on
            threads.thread_id = responses.thread_id
            and windows.window_end_at > responses.responded_at
            and {{ not_missing_at('windows.window_end_at', 'responses') }}

    group by windows.window_id, windows.window_start_at, threads.thread_id

    having min(responses.responded_at) >= windows.window_start_at

),

response_times as (

    select
        window_id,
        count(*) as response_count,
        median(hours) as time_to_first_response_hours_median,
        quantile_cont(hours, 0.9) as time_to_first_response_hours_p90

    from responded

    group by window_id

),

-- Open for more than a day at the end, and nobody had responded by then.
waiting as (

    select
        windows.window_id,
        count(distinct threads.thread_id) as waiting_count

    from windows

    inner join threads
        on
            windows.project = threads.project
            and windows.window_end_at > threads.created_at + interval '24 hours'
            and not threads.is_bot_author

    inner join thread_states
        on
            threads.thread_id = thread_states.thread_id
            and thread_states.state = 'open'
            and windows.window_end_at > thread_states.started_at
            and coalesce(windows.window_end_at <= thread_states.ended_at, true)

    inner join responses as known
        on
            threads.thread_id = known.thread_id
            and windows.window_end_at <= known.known_until

    left join responses
        on
            threads.thread_id = responses.thread_id
            and windows.window_end_at > responses.responded_at
            and {{ not_missing_at('windows.window_end_at', 'responses') }}

    where responses.thread_id is null

    group by windows.window_id

),

joined as (

    select
        windows.window_id,
        windows.project,
        windows.window_kind,
        windows.window_date,
        coalesce(listings_counted.new_issue_count, 0) as new_issue_count,
        coalesce(listings_counted.closed_issue_count, 0) as closed_issue_count,
        coalesce(listings_counted.new_pr_count, 0) as new_pr_count,
        coalesce(listings_counted.merged_pr_count, 0) as merged_pr_count,
        coalesce(listings_counted.closed_unmerged_pr_count, 0)
            as closed_unmerged_pr_count,
        coalesce(reopenings_counted.reopened_count, 0) as reopened_count,
        backlogs.open_issue_count_at_start,
        backlogs.open_issue_count_at_end,
        backlogs.open_issue_count_change,
        backlogs.open_pr_count_at_start,
        backlogs.open_pr_count_at_end,
        backlogs.open_pr_count_change,
        coalesce(contributors_counted.contributor_count, 0) as contributor_count,
        coalesce(len(first_timers_listed.first_timers), 0) as first_timer_count,
        coalesce(first_timers_listed.first_timers, []) as first_timers,
        if(traced.window_id is null, 'association', 'history') as first_timer_basis,
        coalesce(comments_counted.human_comment_count, 0) as human_comment_count,
        coalesce(comments_counted.bot_comment_count, 0) as bot_comment_count,
        comments_counted.bot_comment_count
        / (comments_counted.human_comment_count + comments_counted.bot_comment_count)
            as bot_comment_share,
        case
            when comments_counted.busiest_hour_comment_count is not null
                then
                    windows.window_start_at
                    + to_hours(comments_counted.busiest_hour_offset)
        end as busiest_hour_start_at,
        comments_counted.busiest_hour_comment_count,
        coalesce(commenters_listed.top_commenters, []) as top_commenters,
        coalesce(commenters_listed.review_commenter_count, 0) as review_commenter_count,
        coalesce(commenters_listed.top_review_commenters, []) as top_review_commenters,
        -- Who was answered by whom is known of all threads, or it is not told.
        case
            when windows.completeness = 'synced'
                then coalesce(response_times.response_count, 0)
        end as response_count,
        case
            when windows.completeness = 'synced'
                then response_times.time_to_first_response_hours_median
        end as time_to_first_response_hours_median,
        case
            when windows.completeness = 'synced'
                then response_times.time_to_first_response_hours_p90
        end as time_to_first_response_hours_p90,
        case
            when windows.completeness = 'synced'
                then coalesce(waiting.waiting_count, 0)
        end as waiting_count,
        listings_counted.time_to_merge_hours_median,
        listings_counted.time_to_merge_hours_p90

    from windows

    left join listings_counted
        on windows.window_id = listings_counted.window_id

    left join reopenings_counted
        on windows.window_id = reopenings_counted.window_id

    left join backlogs
        on windows.window_id = backlogs.window_id

    left join contributors_counted
        on windows.window_id = contributors_counted.window_id

    left join first_timers_listed
        on windows.window_id = first_timers_listed.window_id

    left join traced
        on windows.window_id = traced.window_id

    left join comments_counted
        on windows.window_id = comments_counted.window_id

    left join commenters_listed
        on windows.window_id = commenters_listed.window_id

    left join response_times
        on windows.window_id = response_times.window_id

    left join waiting
        on windows.window_id = waiting.window_id

)

select * from joined
