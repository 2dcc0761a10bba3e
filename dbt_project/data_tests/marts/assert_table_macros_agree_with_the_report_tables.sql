/*
A row is a listing's place where `marts.listed_threads` and the report differ, or a
window whose headline is not what `marts.window_counts` says; is_report tells whose row
it is. Asked of the newest 40 complete windows: a macro takes one interval at a time.
*/
-- depends_on: {{ ref('windows') }}
-- depends_on: {{ ref('threads') }}
-- depends_on: {{ ref('thread_states') }}
-- depends_on: {{ ref('thread_events') }}
-- depends_on: {{ ref('coverage') }}
{%- set windows = [] -%}
{%- if execute and load_relation(ref('windows')) -%}
    {%- set windows = run_query(
        "select window_id, project, window_start_at, window_end_at from "
        ~ ref('windows') ~ " where is_complete order by window_end_at desc limit 40"
    ) -%}
{%- endif %}

with

headline_counts as (

    select * from {{ ref('rpt_headline_counts') }}

),

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

places_reported as (

    select
        window_id,
        listing,
        position,
        thread_id,
        title,
        labels,
        event_at,
        as_of_basis

    from listed_threads

),

counts_reported as (

    select
        window_id,
        new_issue_count,
        closed_issue_count,
        new_pr_count,
        merged_pr_count,
        closed_unmerged_pr_count

    from headline_counts

),

places_told as (

    select *

    from places_reported

    where false

    {% for window in windows %}

        union all

        select
            '{{ window[0] }}' as window_id,
            listing,
            position,
            thread_id,
            title,
            labels,
            event_at,
            as_of_basis

        from marts.listed_threads(
            '{{ window[1] }}',
            '{{ window[2] }}',
            '{{ window[3] }}'
        )

    {% endfor %}

),

counts_told as (

    select *

    from counts_reported

    where false

    {% for window in windows %}

        union all

        select
            '{{ window[0] }}' as window_id,
            told.*

        from marts.window_counts(
            '{{ window[1] }}',
            '{{ window[2] }}',
            '{{ window[3] }}'
        ) as told

    {% endfor %}

),

stacked as (

    select
        'place' as what,
        true as is_report,
        window_id,
        to_json(places_reported) as told

    from places_reported

    union all

    select
        'place' as what,
        false as is_report,
        window_id,
        to_json(places_told) as told

    from places_told

    union all

    select
        'count' as what,
        true as is_report,
        window_id,
        to_json(counts_reported) as told

    from counts_reported

    union all

    select
        'count' as what,
        false as is_report,
        window_id,
        to_json(counts_told) as told

    from counts_told

),

-- Every row is told twice, by the report and by the macro.
differing as (

    select
        stacked.window_id,
        stacked.what,
        stacked.told,
        bool_and(stacked.is_report) as is_only_reported

    from stacked

    inner join counts_told
        on stacked.window_id = counts_told.window_id

    group by stacked.window_id, stacked.what, stacked.told

    having count(*) != 2 or bool_and(stacked.is_report)

)

select * from differing
