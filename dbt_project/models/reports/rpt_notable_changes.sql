{{ config(materialized='incremental') }}

with

notability as (

    select * from {{ ref('int_pull_request_notability') }}

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

links as (

    select * from {{ ref('int_linked_threads') }}

),

excerpts as (

    select * from {{ ref('int_texts_excerpted') }}

),

sized as (

    select * from {{ ref('int_changes_sized') }}

),

window_listings as (

    select * from {{ ref('int_window_listings') }}
    {{ of_windows_to_build() }}

),

thread_topics as (

    select * from {{ ref('int_thread_topics') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

ranked as (

    select
        notability.*,
        threads.number,
        threads.author_login,
        threads.is_bot_author,
        threads.url,
        threads.created_at as opened_at,
        row_number() over (
            partition by notability.window_id
            order by
                notability.tier asc,
                notability.participant_count desc,
                notability.affected_people_count desc,
                notability.line_count desc nulls last,
                threads.number desc
        ) as position

    from notability

    inner join threads
        on notability.thread_id = threads.thread_id

),

linked as (

    select
        links.window_id,
        links.thread_id,
        {{ linked_threads_listed('links') }} as linked_threads,
        {{ fixed_issues_listed('links') }} as fixed_issues,
        {{ listed_in_order(
            "{
                'number': links.linked_number,
                'title': links.linked_title,
                'url': links.linked_url,
                'status': links.linked_status,
                'merged_at': links.linked_merged_at
            }",
            ['links.linked_number'],
            where="links.relation = 'reverts'"
        ) }} as reverts,
        {{ listed_in_order(
            "{
                'number': links.linked_number,
                'title': links.linked_title,
                'url': links.linked_url,
                'status': links.linked_status,
                'merged_at': links.linked_merged_at
            }",
            ['links.linked_created_at', 'links.linked_number'],
            where="
                links.relation = 'reverted_by'
                and links.linked_status in ('open', 'draft', 'merged')
            "
        ) }} as reverted_by

    from links

    semi join ranked
        on links.window_id = ranked.window_id and links.thread_id = ranked.thread_id

    group by links.window_id, links.thread_id

),

fixed_hot as (

    select
        links.window_id,
        links.thread_id,
        min(hot_threads.heat_rank) as fixed_heat_rank,
        arg_min(hot_threads.number, hot_threads.heat_rank) as fixed_hot_number

    from links

    inner join hot_threads
        on
            links.window_id = hot_threads.window_id
            and links.linked_thread_id = hot_threads.thread_id

    where
        list_contains(links.relations, 'fixes')
        and links.linked_kind = 'issue'

    group by links.window_id, links.thread_id

),

closed_issues as (

    select
        window_listings.window_id,
        window_listings.thread_id,
        window_listings.event_at as closed_at,
        threads.number,
        threads.url,
        threads.author_id,
        as_of_window_ends.title

    from window_listings

    inner join threads
        on window_listings.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            window_listings.window_id = as_of_window_ends.window_id
            and window_listings.thread_id = as_of_window_ends.thread_id

    where window_listings.listing = 'closed_issue'

),

merged_changes as (

    select
        ranked.window_id,
        ranked.thread_id,
        window_listings.event_at as merged_at,
        threads.author_id,
        as_of_window_ends.title

    from ranked

    inner join window_listings
        on
            ranked.window_id = window_listings.window_id
            and ranked.thread_id = window_listings.thread_id

    inner join threads
        on ranked.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            ranked.window_id = as_of_window_ends.window_id
            and ranked.thread_id = as_of_window_ends.thread_id

    where window_listings.listing = 'merged_pr'

),

-- By time alone any two would pair that a batch closed.
closed_together as (

    select
        merged_changes.window_id,
        merged_changes.thread_id,
        closed_issues.* exclude (window_id, thread_id, author_id),  -- noqa: RF02
        date_diff('second', merged_changes.merged_at, closed_issues.closed_at)
            as seconds_after_merge,
        coalesce(list_contains(links.relations, 'fixes'), false) as is_fixed

    from merged_changes

    inner join closed_issues
        on merged_changes.window_id = closed_issues.window_id

    left join links
        on
            merged_changes.window_id = links.window_id
            and merged_changes.thread_id = links.thread_id
            and closed_issues.thread_id = links.linked_thread_id

    where
        coalesce(list_contains(links.relations, 'fixes'), false)
        or (
            abs(date_diff('second', merged_changes.merged_at, closed_issues.closed_at))
            <= {{ var('closed_together_seconds') }}
            and (
                merged_changes.author_id = closed_issues.author_id
                or len(list_intersect(
                    list_distinct(regexp_extract_all(
                        lower(merged_changes.title),
                        '[a-z0-9]{4,}'
                    )),
                    list_distinct(regexp_extract_all(
                        lower(closed_issues.title),
                        '[a-z0-9]{4,}'
                    ))
                )) >= 2
            )
        )

    qualify
        is_fixed
        or not bool_or(is_fixed) over (
            partition by merged_changes.window_id, merged_changes.thread_id
        )

),

closings as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{
                'number': number,
                'title': title,
                'url': url,
                'closed_at': closed_at,
                'seconds_after_merge': seconds_after_merge,
                'is_fixed': is_fixed
            }",
            ['abs(seconds_after_merge)', 'number']
        ) }} as closed_with

    from closed_together

    group by window_id, thread_id

),

topics as (

    select
        window_id,
        thread_id,
        {{ listed_in_order('topic', ['not is_in_title', 'topic']) }} as topics

    from thread_topics

    group by window_id, thread_id

),

timed as (

    select
        ranked.window_id,
        ranked.thread_id,
        if(
            ranked.is_merged,
            date_diff('second', ranked.opened_at, as_of_window_ends.status_at) / 3600,
            null
        ) as merge_hours

    from ranked

    inner join as_of_window_ends
        on
            ranked.window_id = as_of_window_ends.window_id
            and ranked.thread_id = as_of_window_ends.thread_id

),

compared as (

    select
        *,
        median(merge_hours) over of_window as merge_hours_median,
        coalesce(
            count(merge_hours) over of_window >= {{ var('fewest_compared_changes') }}
            and merge_hours >= {{ var('long_open_hours') }}
            and merge_hours
            >= median(merge_hours) over of_window * {{ var('long_open_ratio') }},
            false
        ) as is_long_open

    from timed

    window of_window as (partition by window_id)

),

joined as (

    select
        ranked.window_id,
        cast(ranked.position as integer) as position,
        ranked.thread_id,
        ranked.number,
        cast(ranked.tier as integer) as tier,
        ranked.reasons,
        ranked.tier < 5
        and ranked.position <= {{ var('notable_change_count') }} as is_shown,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        ranked.author_login,
        ranked.is_bot_author,
        ranked.opened_at,
        as_of_window_ends.status,
        as_of_window_ends.status_at,
        ranked.url,
        ranked.change_kind,
        ranked.change_signal,
        ranked.change_matched,
        ranked.is_merged,
        coalesce(linked.reverts, []) as reverts,
        coalesce(linked.reverted_by, []) as reverted_by,
        ranked.participant_count,
        thread_windows.human_comment_count,
        ranked.affected_people_count,
        coalesce(topics.topics, []) as topics,
        sized.additions,
        sized.deletions,
        sized.changed_file_count,
        coalesce(sized.areas, []) as areas,
        coalesce(sized.area_count, 0) as area_count,
        thread_windows.listings,
        coalesce(linked.linked_threads, []) as linked_threads,
        coalesce(linked.fixed_issues, []) as fixed_issues,
        coalesce(closings.closed_with, []) as closed_with,
        excerpts.excerpt,
        fixed_hot.fixed_heat_rank,
        fixed_hot.fixed_hot_number,
        compared.merge_hours / 24 as merge_days,
        compared.merge_hours_median / 24 as merge_days_median,
        list_filter(
            [
                if(fixed_hot.thread_id is not null, 'fixes_hot_issue', null),
                if(compared.is_long_open, 'long_open', null)
            ],
            lambda highlight: highlight is not null  -- noqa: RF02
        ) as highlights

    from ranked

    inner join thread_windows
        on
            ranked.window_id = thread_windows.window_id
            and ranked.thread_id = thread_windows.thread_id

    inner join as_of_window_ends
        on
            ranked.window_id = as_of_window_ends.window_id
            and ranked.thread_id = as_of_window_ends.thread_id

    inner join compared
        on
            ranked.window_id = compared.window_id
            and ranked.thread_id = compared.thread_id

    left join linked
        on ranked.window_id = linked.window_id and ranked.thread_id = linked.thread_id

    left join fixed_hot
        on
            ranked.window_id = fixed_hot.window_id
            and ranked.thread_id = fixed_hot.thread_id

    left join closings
        on
            ranked.window_id = closings.window_id
            and ranked.thread_id = closings.thread_id

    left join topics
        on ranked.window_id = topics.window_id and ranked.thread_id = topics.thread_id

    left join sized
        on ranked.thread_id = sized.thread_id

    left join excerpts
        on ranked.thread_id = excerpts.thread_id

)

select * from joined
