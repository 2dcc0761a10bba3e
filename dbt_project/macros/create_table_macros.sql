{#
    The table macros for any interval, made beside the report's own table of listings:
    DuckDB wants the tables that they read to be there first. Their bodies name schema
    and table, never the database, so that they work in a copy of the file under any name.
#}
{% macro create_table_macros() %}
    create or replace macro marts.threads_as_of(project_name, as_of) as table
    with moments as (
        select
            threads.thread_id,
            cast(as_of as timestamptz) as as_of_at
        from marts.threads as threads
        where
            threads.project = project_name
            and threads.created_at < cast(as_of as timestamptz)
            and {{ there_at('cast(as_of as timestamptz)') }}
    ),
    rewound as (
        {{ threads_rewound(
            'moments', 'marts.threads', 'marts.thread_states',
            'marts.thread_events', 'marts.coverage'
        ) }}
    )
    select
        rewound.thread_id,
        threads.project,
        threads.number,
        threads.kind,
        rewound.title,
        rewound.state,
        rewound.is_draft,
        threads.author_login,
        threads.author_id,
        rewound.labels,
        threads.created_at,
        rewound.closed_at,
        rewound.merged_at,
        threads.url,
        rewound.as_of_basis
    from rewound
    inner join marts.threads as threads
        on rewound.thread_id = threads.thread_id;

    create or replace macro marts.listed_threads(project_name, since, until) as table
    with windows as (
        select
            'asked' as window_id,
            project_name as project,
            cast(since as timestamptz) as window_start_at,
            cast(until as timestamptz) as window_end_at
    ),
    placed as (
        {{ threads_placed('windows', 'marts.threads', 'marts.thread_states') }}
    ),
    moments as (
        select distinct
            thread_id,
            cast(until as timestamptz) as as_of_at
        from placed
    ),
    rewound as (
        {{ threads_rewound(
            'moments', 'marts.threads', 'marts.thread_states',
            'marts.thread_events', 'marts.coverage'
        ) }}
    )
    select
        placed.listing,
        row_number() over (
            partition by placed.listing
            order by placed.event_at desc, threads.number desc
        ) as position,
        placed.thread_id,
        threads.number,
        rewound.title,
        rewound.labels,
        threads.author_login,
        placed.event_at,
        threads.url,
        rewound.as_of_basis
    from placed
    inner join rewound on placed.thread_id = rewound.thread_id
    inner join marts.threads as threads
        on placed.thread_id = threads.thread_id
    order by placed.listing, position;

    create or replace macro marts.window_counts(project_name, since, until) as table
    with windows as (
        select
            'asked' as window_id,
            project_name as project,
            cast(since as timestamptz) as window_start_at,
            cast(until as timestamptz) as window_end_at
    ),
    placed as (
        {{ threads_placed('windows', 'marts.threads', 'marts.thread_states') }}
    )
    select
        count(*) filter (where listing = 'new_issue') as new_issue_count,
        count(*) filter (where listing = 'closed_issue') as closed_issue_count,
        count(*) filter (where listing = 'new_pr') as new_pr_count,
        count(*) filter (where listing = 'merged_pr') as merged_pr_count,
        count(*) filter (where listing = 'closed_unmerged_pr')
            as closed_unmerged_pr_count
    from placed;
{% endmacro %}
