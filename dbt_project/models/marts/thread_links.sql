with

links as (

    select * from {{ ref('int_thread_links') }}

),

threads as (

    select * from {{ ref('threads') }}

),

-- A revert that names no number quotes the title of what it takes back.
quoting as (

    select
        threads.thread_id,
        threads.project,
        threads.created_at,
        {{ unreverted_once('threads.title') }} as quoted_title

    from threads

    anti join links
        on threads.thread_id = links.thread_id and links.relation = 'reverts'

    where
        threads.kind = 'pr'
        and {{ quoted_revert_count('threads.title') }} > 0

),

quoted as (

    select
        quoting.thread_id,
        -- The last to be merged before the revert was opened.
        arg_max(threads.thread_id, (threads.merged_at, threads.number))
            as linked_thread_id,
        'reverts' as relation,
        'title' as source,
        quoting.thread_id as source_id,
        quoting.created_at as linked_at

    from quoting

    inner join threads
        on
            quoting.project = threads.project
            and quoting.quoted_title = threads.title
            and quoting.created_at > threads.merged_at

    group by quoting.thread_id, quoting.created_at

),

stacked as (

    select * from links

    union all

    select * from quoted

),

described as (

    select
        stacked.thread_id,
        threads.project,
        threads.kind,
        threads.number,
        stacked.linked_thread_id,
        linked.project as linked_project,
        linked.kind as linked_kind,
        cast(split_part(stacked.linked_thread_id, '#', 2) as bigint) as linked_number,
        stacked.relation,
        cast(if(stacked.relation = 'mentions', 0.5, 1) as double) as strength,
        stacked.source,
        stacked.source_id,
        stacked.linked_at

    from stacked

    inner join threads
        on stacked.thread_id = threads.thread_id

    left join threads as linked
        on stacked.linked_thread_id = linked.thread_id

    -- Nobody reverts an issue.
    where not coalesce(stacked.relation = 'reverts' and linked.kind = 'issue', false)

)

select * from described
