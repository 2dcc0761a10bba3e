with

tied as (

    select * from {{ ref('int_threads_tied_to_others') }}

),

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

threads as (

    select * from {{ ref('threads') }}

),

repaired as (

    select
        tied.window_id,
        tied.thread_id,
        threads.number,
        threads.url,
        tied.reporter_count,
        -- Until it was closed; an issue that is open still waits.
        date_diff(
            'second',
            threads.created_at,
            coalesce(as_of_window_ends.closed_at, as_of_window_ends.as_of_at)
        ) / 86400 as open_days

    from tied

    inner join threads
        on tied.linked_thread_id = threads.thread_id

    inner join as_of_window_ends
        on
            tied.window_id = as_of_window_ends.window_id
            and tied.linked_thread_id = as_of_window_ends.thread_id

    where
        tied.relation = 'fixes'
        and tied.kind = 'issue'

),

listed as (

    select
        window_id,
        thread_id,
        {{ listed_in_order(
            "{
                'number': number,
                'url': url,
                'reporter_count': reporter_count,
                'open_days': open_days
            }",
            ['-reporter_count', '-open_days', 'number']
        ) }} as fixed_issues

    from repaired

    group by window_id, thread_id

)

select * from listed
