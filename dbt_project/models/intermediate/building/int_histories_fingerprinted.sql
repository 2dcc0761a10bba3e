{{ config(materialized='incremental', incremental_strategy='by_pair') }}

with

rewound as (

    select
        window_id,
        thread_id,
        as_of_at,
        hash(told, len(labels)) as fact

    from (
        select * from {{ ref('int_all_threads_rewound') }}
        {{ of_disturbed_pairs() }}
    ) as told

),

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select
        thread_id,
        created_at,
        hash(said) as fact

    from (
        select * from {{ ref('comments') }}
    ) as said

),

thread_links as (

    select
        links.thread_id,
        links.linked_thread_id,
        links.linked_at,
        -- Where one leads is shown as soon as it is known, whenever it began.
        hash(links.fact, naming.url, named.url) as fact

    from (
        select
            *,
            hash(link) as fact
        from (
            select * from {{ ref('thread_links') }}
        ) as link
    ) as links

    left join threads as naming
        on links.thread_id = naming.thread_id

    left join threads as named
        on links.linked_thread_id = named.thread_id

),

excerpts as (

    select * from {{ ref('int_threads_excerpted') }}

),

pull_details as (

    select
        thread_id,
        hash(details) as fact

    from (
        select * exclude (fetched_at) from {{ ref('stg_github__pull_details') }}
    ) as details

),

changed_files as (

    select
        thread_id,
        hash(changed_file) as fact

    from (
        select * from {{ ref('changed_files') }}
    ) as changed_file

),

wanted as (

    select distinct thread_id from rewound

),

facts as (

    select
        comments.thread_id,
        comments.created_at as happened_at,
        comments.fact

    from comments

    semi join wanted
        on comments.thread_id = wanted.thread_id

    union all

    select
        thread_links.thread_id,
        thread_links.linked_at as happened_at,
        thread_links.fact

    from thread_links

    semi join wanted
        on thread_links.thread_id = wanted.thread_id

    union all

    select
        thread_links.linked_thread_id as thread_id,
        thread_links.linked_at as happened_at,
        thread_links.fact

    from thread_links

    semi join wanted
        on thread_links.linked_thread_id = wanted.thread_id

),

summed as (

    select
        thread_id,
        happened_at,
        sum(fact) as fact

    from facts

    group by thread_id, happened_at

),

-- What had been said on a thread, and who had linked it, up to and with an instant.
running as (

    select
        thread_id,
        happened_at,
        sum(fact) over (
            partition by thread_id
            order by happened_at
        ) as history

    from summed

),

files as (

    select
        thread_id,
        sum(fact) as fact

    from changed_files

    group by thread_id

),

-- What has no instant, or is shown as it is now in old windows too.
timeless as (

    select
        threads.thread_id,
        hash(
            threads.project,
            threads.number,
            threads.kind,
            threads.body,
            threads.url,
            threads.author_id,
            threads.author_login,
            threads.author_association,
            threads.is_bot_author,
            threads.created_at,
            threads.first_missed_at,
            excerpts.excerpt,
            excerpts.purpose,
            pull_details.fact,
            files.fact
        ) as fact

    from threads

    left join excerpts
        on threads.thread_id = excerpts.thread_id

    left join pull_details
        on threads.thread_id = pull_details.thread_id

    left join files
        on threads.thread_id = files.thread_id

)

select
    rewound.window_id,
    rewound.thread_id,
    hash(rewound.fact, running.history, timeless.fact) as fingerprint

from rewound

inner join timeless
    on rewound.thread_id = timeless.thread_id

asof left join running
    on
        rewound.thread_id = running.thread_id
        and rewound.as_of_at > running.happened_at
