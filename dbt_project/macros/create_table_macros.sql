{#
    The table macros for any interval, made beside the report's own table of listings:
    DuckDB wants the tables that they read to be there first. Their bodies name schema
    and table, never the database, so that they work in a copy of the file under any name.

    What is not covered is null: one row of nulls, which no quiet interval looks like. The
    checks stand in a filter, and the rows are joined to them from the left, so that no
    query, not even a count, is answered without them.
#}
{% macro create_table_macros() %}
    create or replace macro marts.threads_as_of(project_name, as_of) as table
    with asked as (
        select cast(as_of as timestamptz) as as_of_at
    ),
    checked as (
        select
            as_of_at,
            {{ is_covered_interval('as_of_at', 'as_of_at', ['threads']) }} as is_covered
        from asked
        where
            {{ is_known_project() }}
            and case
                when as_of_at is null then error('as_of is null')
                else true
            end
    ),
    moments as (
        select
            threads.thread_id,
            checked.as_of_at
        from checked
        inner join marts.threads as threads
            on
                threads.project = project_name
                and threads.created_at < checked.as_of_at
                and {{ not_missing_at('checked.as_of_at') }}
        where checked.is_covered
    ),
    rewound as (
        {{ threads_as_of(
            'moments', 'marts.threads', 'marts.thread_states', 'marts.thread_labels',
            'marts.thread_events', 'marts.coverage'
        ) }}
    ),
    described as (
        select
            rewound.thread_id,
            threads.project,
            threads.number,
            threads.kind,
            rewound.title,
            rewound.state,
            rewound.state_reason,
            rewound.is_draft,
            threads.author_login,
            threads.author_id,
            rewound.labels,
            threads.created_at,
            rewound.closed_at,
            rewound.merged_at,
            threads.url,
            rewound.as_of_basis,
            rewound.labels_basis
        from rewound
        inner join marts.threads as threads
            on rewound.thread_id = threads.thread_id
    )
    select described.*
    from checked
    left join described on checked.is_covered
    where
        described.thread_id is not null
        or not checked.is_covered;

    create or replace macro marts.listed_threads(project_name, since, until) as table
    with {{ checked_interval() }},
    placed as (
        {{ listing_members('windows', 'marts.threads', 'marts.thread_states') }}
    ),
    moments as (
        select distinct
            thread_id,
            cast(until as timestamptz) as as_of_at
        from placed
    ),
    rewound as (
        {{ threads_as_of(
            'moments', 'marts.threads', 'marts.thread_states', 'marts.thread_labels',
            'marts.thread_events', 'marts.coverage'
        ) }}
    ),
    described as (
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
            rewound.as_of_basis,
            rewound.labels_basis
        from placed
        inner join rewound on placed.thread_id = rewound.thread_id
        inner join marts.threads as threads
            on placed.thread_id = threads.thread_id
    )
    select described.*
    from checked
    left join described on checked.is_covered
    where
        described.thread_id is not null
        or not checked.is_covered
    order by described.listing, described.position;

    create or replace macro marts.window_counts(project_name, since, until) as table
    with {{ checked_interval() }},
    placed as (
        {{ listing_members('windows', 'marts.threads', 'marts.thread_states') }}
    )
    select
        {% for listing in [
            'new_issue', 'closed_issue', 'new_pr', 'merged_pr', 'closed_unmerged_pr'
        ] -%}
            case
                when checked.is_covered
                    then count(*) filter (where placed.listing = '{{ listing }}')
            end as {{ listing }}_count {{- ',' if not loop.last }}
        {% endfor %}
    from checked
    left join placed on checked.is_covered
    group by checked.is_covered;
{% endmacro %}

{#- Two CTEs: the interval asked for, checked, and the same as a window where covered. -#}
{% macro checked_interval() %}
    asked as (
        select
            cast(since as timestamptz) as since_at,
            cast(until as timestamptz) as until_at
    ),
    checked as (
        select
            since_at,
            until_at,
            {{ is_covered_interval('since_at', 'until_at', ['threads', 'issue_events']) }}
            or exists (
                select 1
                from marts.windows as windows
                where
                    windows.project = project_name
                    and windows.window_start_at = since_at
                    and windows.window_end_at = until_at
                    and windows.is_complete
            ) as is_covered
        from asked
        where
            {{ is_known_project() }}
            and case
                when since_at is null or until_at is null or since_at >= until_at
                    then error(
                        'since must be before until, not '
                        || coalesce(cast(since_at as varchar), 'null') || ' and '
                        || coalesce(cast(until_at as varchar), 'null')
                    )
                else true
            end
    ),
    windows as (
        select
            'asked' as window_id,
            project_name as project,
            since_at as window_start_at,
            until_at as window_end_at
        from checked
        where is_covered
    )
{% endmacro %}

{#- A condition that fails with an error where no project has this name. -#}
{% macro is_known_project() -%}
    case
        when project_name is null or not exists (
            select 1
            from marts.projects as projects
            where projects.project = project_name
        )
            then error(
                'no project is named ' || coalesce(cast(project_name as varchar), 'null')
            )
        else true
    end
{%- endmacro %}

{#-
    Whether each of the streams covers an interval, and its writes have settled. Events
    are needed up to now: they say what has become of its threads since.
-#}
{% macro is_covered_interval(since, until, streams) -%}
    (
        {% for stream in streams -%}
            exists (
                select 1
                from marts.coverage as coverage
                where
                    coverage.project = project_name
                    and coverage.stream = '{{ stream }}'
                    and coverage.covered_from <= {{ since }}
                    and coverage.covered_until
                    >= {{ until }} + interval '{{ var("settling_minutes") }} minutes'
                    {% if stream == 'issue_events' -%}
                        and coverage.covered_until >= (
                            select max(known.covered_until)
                            from marts.coverage as known
                            where
                                known.project = project_name
                                and known.stream = 'threads'
                        )
                    {%- endif %}
            ) {{ 'and' if not loop.last }}
        {% endfor %}
    )
{%- endmacro %}
