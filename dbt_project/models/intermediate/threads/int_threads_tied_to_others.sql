with

linked as (

    select * from {{ ref('int_threads_linked_in_windows') }}

),

threads as (

    select * from {{ ref('threads') }}

),

voiced as (

    select * from {{ ref('int_threads_voiced') }}

),

unnested as (

    select
        window_id,
        thread_id,
        unnest(linked_threads) as link

    from linked

),

parted as (

    select
        window_id,
        thread_id,
        struct_extract(link, 'thread_id') as linked_thread_id,
        struct_extract(link, 'relation') as relation,
        struct_extract(link, 'status') as status

    from unnested

),

tied as (

    select
        parted.window_id,
        parted.thread_id,
        parted.linked_thread_id,
        parted.relation,
        parted.status,
        threads.kind,
        threads.merged_at,
        coalesce(voiced.reporter_count, 0) as reporter_count

    from parted

    inner join threads
        on parted.linked_thread_id = threads.thread_id

    left join voiced
        on
            parted.window_id = voiced.window_id
            and parted.linked_thread_id = voiced.thread_id

    -- Not there yet at the window's end: nothing is known of it then.
    where parted.status is not null

)

select * from tied
