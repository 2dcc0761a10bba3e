{{ config(materialized='incremental') }}

with

scored as (

    select * from {{ ref('int_threads_scored_for_watching') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

excerpts as (

    select * from {{ ref('int_threads_excerpted') }}

),

links as (

    select * from {{ ref('int_linked_threads') }}

),

linked as (

    select
        window_id,
        thread_id,
        {{ linked_threads_listed('links') }} as linked_threads

    from links

    group by window_id, thread_id

),

over_the_bar as (

    select
        scored.*,
        threads.number,
        row_number() over (
            partition by scored.window_id, scored.is_proposal
            order by
                scored.watch_score desc,
                scored.severity_points desc,
                scored.human_comment_count desc,
                threads.number desc
        ) as place_among_its_like

    from scored

    inner join threads
        on scored.thread_id = threads.thread_id

    where scored.watch_score >= {{ var('watch_bar') }}

),

chosen as (

    select
        *,
        row_number() over (
            partition by window_id
            order by
                watch_score desc,
                severity_points desc,
                human_comment_count desc,
                number desc
        ) as place

    from over_the_bar

    -- Trouble and plans are no rivals: each has its places.
    where place_among_its_like <= if(
        is_proposal,
        {{ var('watch_proposal_count') }},
        {{ var('watch_list_count') }}
    )

),

parts as (

    select
        window_id,
        thread_id,
        unnest([
            'severity', 'heat', 'reporters', 'waiting', 'unlinked', 'proposal'
        ]) as reason,
        unnest([
            severity_points,
            heat_points,
            reporter_points,
            waiting_points,
            unlinked_points,
            proposal_points
        ]) as points

    from chosen

),

reasoned as (

    select
        window_id,
        thread_id,
        list(
            reason
            order by points desc, reason asc
        ) as reasons

    from parts

    where points >= {{ var('watch_reason_points') }}

    group by window_id, thread_id

),

worded as (

    select
        chosen.window_id,
        chosen.thread_id,
        chosen.severities,
        regexp_extract_all(
            excerpts.purpose,
            '.+?([.!?]+( |$)|[。！？]+|$)'
        ) as sentences

    from chosen

    inner join excerpts
        on chosen.thread_id = excerpts.thread_id

),

-- The first sentence that says how bad it is.
found as (

    select
        window_id,
        thread_id,
        list_filter(
            sentences,
            lambda sentence: list_bool_or(list_transform(
                severities,
                lambda one: contains(lower(sentence), struct_extract(one, 'word'))
            ))
        )[1] as sentence

    from worded

),

symptoms as (

    select
        window_id,
        thread_id,
        {{ excerpted('trim(sentence)', var('excerpt_characters')) }} as symptom

    from found

),

joined as (

    select
        chosen.window_id,
        cast(chosen.place as integer) as position,
        chosen.thread_id,
        chosen.number,
        threads.kind,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        threads.author_login,
        threads.is_bot_author,
        as_of_window_ends.status,
        threads.url,
        threads.created_at as opened_at,
        coalesce(reasoned.reasons, []) as reasons,
        chosen.severities,
        chosen.severity_points,
        chosen.human_comment_count,
        chosen.heat_score,
        chosen.heat_points,
        chosen.reporter_count,
        chosen.reporter_points,
        chosen.waiting_since_at,
        chosen.waiting_days,
        chosen.waiting_points,
        chosen.is_unlinked,
        chosen.unlinked_points,
        chosen.is_proposal,
        chosen.proposal_matched,
        chosen.proposal_points,
        chosen.watch_score,
        coalesce(linked.linked_threads, []) as linked_threads,
        symptoms.symptom,
        excerpts.excerpt

    from chosen

    inner join threads
        on chosen.thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            chosen.window_id = as_of_window_ends.window_id
            and chosen.thread_id = as_of_window_ends.thread_id

    left join reasoned
        on
            chosen.window_id = reasoned.window_id
            and chosen.thread_id = reasoned.thread_id

    left join linked
        on
            chosen.window_id = linked.window_id
            and chosen.thread_id = linked.thread_id

    left join symptoms
        on
            chosen.window_id = symptoms.window_id
            and chosen.thread_id = symptoms.thread_id

    left join excerpts
        on chosen.thread_id = excerpts.thread_id

)

select * from joined
