{{ config(materialized='incremental') }}

with

windows as (

    select * from {{ ref('windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_states as (

    select * from {{ ref('thread_states') }}

),

traced as (

    select * from {{ ref('int_windows_traced_to_start') }}

),

deltas as (

    select
        threads.project,
        threads.kind,
        thread_states.started_at as changed_at,
        1 as delta

    from thread_states

    inner join threads
        on thread_states.thread_id = threads.thread_id

    where thread_states.state = 'open'

    union all

    select
        threads.project,
        threads.kind,
        thread_states.ended_at as changed_at,
        -1 as delta

    from thread_states

    inner join threads
        on thread_states.thread_id = threads.thread_id

    where
        thread_states.state = 'open'
        and thread_states.ended_at is not null

),

netted as (

    select
        project,
        kind,
        changed_at,
        sum(delta) as delta

    from deltas

    group by project, kind, changed_at

),

balances as (

    select
        project,
        kind,
        changed_at,
        sum(delta) over (
            partition by project, kind
            order by changed_at
        ) as open_count

    from netted

),

moments as (

    select
        windows.window_id,
        windows.project,
        unnest(['issue', 'issue', 'pr', 'pr']) as kind,
        unnest(['start', 'end', 'start', 'end']) as edge,
        unnest([
            windows.window_start_at,
            windows.window_end_at,
            windows.window_start_at,
            windows.window_end_at
        ]) as moment_at

    from windows

),

-- What changes in the very second of an edge belongs to what comes after.
held as (

    select
        moments.window_id,
        moments.kind,
        moments.edge,
        cast(coalesce(balances.open_count, 0) as bigint) as open_count

    from moments

    asof left join balances
        on
            moments.project = balances.project
            and moments.kind = balances.kind
            and moments.moment_at > balances.changed_at

),

spread as (

    select
        window_id,
        any_value(open_count) filter (where kind = 'issue' and edge = 'start')
            as open_issue_count_at_start,
        any_value(open_count) filter (where kind = 'issue' and edge = 'end')
            as open_issue_count_at_end,
        any_value(open_count) filter (where kind = 'pr' and edge = 'start')
            as open_pr_count_at_start,
        any_value(open_count) filter (where kind = 'pr' and edge = 'end')
            as open_pr_count_at_end

    from held

    group by window_id

),

-- Without the whole history only the change is known: what we never saw cancels out.
told as (

    select
        spread.window_id,
        if(traced.window_id is null, null, spread.open_issue_count_at_start)
            as open_issue_count_at_start,
        if(traced.window_id is null, null, spread.open_issue_count_at_end)
            as open_issue_count_at_end,
        spread.open_issue_count_at_end - spread.open_issue_count_at_start
            as open_issue_count_change,
        if(traced.window_id is null, null, spread.open_pr_count_at_start)
            as open_pr_count_at_start,
        if(traced.window_id is null, null, spread.open_pr_count_at_end)
            as open_pr_count_at_end,
        spread.open_pr_count_at_end - spread.open_pr_count_at_start
            as open_pr_count_change

    from spread

    left join traced
        on spread.window_id = traced.window_id

)

select * from told
