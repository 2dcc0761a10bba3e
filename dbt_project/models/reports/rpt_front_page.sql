with

windows as (

    select * from {{ ref('windows') }}

),

provenance as (

    select * from {{ ref('rpt_provenance') }}

),

notable_changes as (

    select * from {{ ref('rpt_notable_changes') }}

),

watch_list as (

    select * from {{ ref('rpt_watch_list') }}

),

ecosystem_threads as (

    select * from {{ ref('rpt_ecosystem_threads') }}

),

hot_threads as (

    select * from {{ ref('rpt_hot_threads') }}

),

reverted as (

    select
        window_id,
        thread_id,
        unnest(reverts) as target

    from notable_changes

    where status in ('open', 'draft', 'merged')

),

-- Takes back what the same window merged; of several the newest.
reverts as (

    select
        reverted.window_id,
        reverted.thread_id,
        reverted.target.number as reverted_number,  -- noqa: RF01,LT05
        reverted.target.url as reverted_url,  -- noqa: RF01,LT05
        reverted.target.merged_at as reverted_merged_at  -- noqa: RF01,LT05

    from reverted

    inner join windows
        on
            reverted.window_id = windows.window_id
            and {{ falls_within('reverted.target.merged_at', 'windows') }}  -- noqa: RF01,LT05

    qualify row_number() over (
        partition by reverted.window_id, reverted.thread_id
        order by reverted.target.merged_at desc, reverted.target.number desc  -- noqa: RF01,LT05
    ) = 1

),

-- A wrong answer harms who does not see it; what crashes is seen.
troubles as (

    select
        window_id,
        thread_id,
        severity,
        list_position(
            ['wrong_output', 'crash', 'hang', 'out_of_memory'],
            severity
        ) as place,
        position

    from watch_list

    where list_contains(['wrong_output', 'crash', 'hang', 'out_of_memory'], severity)

    qualify row_number() over (
        partition by window_id, severity
        order by position
    ) = 1

),

candidates as (

    select
        reverts.window_id,
        reverts.thread_id,
        'act_on' as slot,
        'revert' as chip,
        row_number() over (
            partition by reverts.window_id
            order by reverts.reverted_merged_at desc, reverts.thread_id asc
        ) as place

    from reverts

    union all

    select
        window_id,
        thread_id,
        'act_on' as slot,
        severity as chip,
        1000000 + place as place

    from troubles

    union all

    select
        window_id,
        thread_id,
        'merged' as slot,
        change_kind as chip,
        position as place

    from notable_changes

    where
        is_merged
        and is_shown
        and len(list_filter(reverted_by, lambda one: one.status = 'merged')) = 0

    union all

    select
        ecosystem_threads.window_id,
        ecosystem_threads.thread_id,
        'ecosystem' as slot,
        notable_changes.change_kind as chip,
        row_number() over (
            partition by ecosystem_threads.window_id
            order by
                list_contains(ecosystem_threads.listings, 'merged_pr') desc,
                ecosystem_threads.notable_position nulls last,
                notable_changes.position asc nulls last,
                ecosystem_threads.position asc
        ) as place

    from ecosystem_threads

    inner join provenance
        on
            ecosystem_threads.window_id = provenance.window_id
            and ecosystem_threads.ecosystem = provenance.spotlight_ecosystem

    left join notable_changes
        on
            ecosystem_threads.window_id = notable_changes.window_id
            and ecosystem_threads.thread_id = notable_changes.thread_id

    where not ecosystem_threads.is_author_only

    union all

    select
        window_id,
        thread_id,
        'discussed' as slot,
        null as chip,
        heat_rank as place

    from hot_threads

),

-- A thread stands once, in the first slot that would have it.
once as (

    select *

    from candidates

    qualify row_number() over (
        partition by window_id, thread_id
        order by
            list_position(['act_on', 'merged', 'ecosystem', 'discussed'], slot),
            place
    ) = 1

),

placed as (

    select
        *,
        row_number() over (
            partition by window_id, slot
            order by place
        ) as position,
        count(*) over (partition by window_id, slot, chip) as candidate_count

    from once

),

shown as (

    select *

    from placed

    where position <= if(
        slot = 'act_on',
        {{ var('front_page_act_on_count') }},
        {{ var('front_page_slot_count') }}
    )

),

thread_windows as (

    select * from {{ ref('thread_windows') }}

),

as_of_windows as (

    select * from {{ ref('int_threads_as_of_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

joined as (

    select
        shown.window_id,
        shown.slot,
        cast(shown.position as integer) as position,
        shown.thread_id,
        threads.number,
        threads.kind,
        as_of_windows.title,
        threads.url,
        as_of_windows.status,
        as_of_windows.status_at,
        shown.chip,
        cast(shown.candidate_count as integer) as candidate_count,
        reverts.reverted_number,
        reverts.reverted_url,
        date_diff('second', reverts.reverted_merged_at, threads.created_at) / 3600
            as reverted_after_hours,
        date_diff('second', threads.created_at, windows.window_end_at) / 3600
            as age_hours,
        thread_windows.human_comment_count,
        thread_windows.human_comment_count = 0
        and threads.created_at >= windows.window_start_at as is_without_reply,
        hot_threads.participant_count,
        hot_threads.waiting_on.login as waiting_on_login,  -- noqa: RF01,LT05
        watch_list.is_unlinked,
        if(
            list_contains(notable_changes.highlights, 'long_open'),
            notable_changes.merge_days,
            null
        ) as merge_days,
        if(
            list_contains(notable_changes.highlights, 'long_open'),
            notable_changes.merge_days_median,
            null
        ) as merge_days_median

    from shown

    inner join windows
        on shown.window_id = windows.window_id

    inner join threads
        on shown.thread_id = threads.thread_id

    inner join thread_windows
        on
            shown.window_id = thread_windows.window_id
            and shown.thread_id = thread_windows.thread_id

    inner join as_of_windows
        on
            shown.window_id = as_of_windows.window_id
            and shown.thread_id = as_of_windows.thread_id

    left join reverts
        on shown.window_id = reverts.window_id and shown.thread_id = reverts.thread_id

    left join hot_threads
        on
            shown.window_id = hot_threads.window_id
            and shown.thread_id = hot_threads.thread_id

    left join watch_list
        on
            shown.window_id = watch_list.window_id
            and shown.thread_id = watch_list.thread_id

    left join notable_changes
        on
            shown.window_id = notable_changes.window_id
            and shown.thread_id = notable_changes.thread_id

)

select * from joined
