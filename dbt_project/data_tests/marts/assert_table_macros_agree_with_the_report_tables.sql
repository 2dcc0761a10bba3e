/*
A row is a listing's place where `marts.listed_threads` and the report differ, or a window
whose headline is not what `marts.window_counts` says; is_report tells whose row it is.
Asked of the newest 40 complete windows: the macros take one interval at a time.
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

asked as (

    select null as window_id

    {% for window in windows %}
        union all select '{{ window[0] }}' as window_id
    {% endfor %}

),

placed as (

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

places_told as (

    select * from placed where false

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
        from marts.listed_threads('{{ window[1] }}', '{{ window[2] }}', '{{ window[3] }}')
    {% endfor %}

),

counted as (

    select
        window_id,
        new_issue_count,
        closed_issue_count,
        new_pr_count,
        merged_pr_count,
        closed_unmerged_pr_count

    from headline_counts

),

counts_told as (

    select * from counted where false

    {% for window in windows %}
        union all
        select
            '{{ window[0] }}' as window_id,
            *
        from marts.window_counts('{{ window[1] }}', '{{ window[2] }}', '{{ window[3] }}')
    {% endfor %}

),

places_asked as (

    select placed.* from placed
    inner join asked on placed.window_id = asked.window_id

),

counts_asked as (

    select counted.* from counted
    inner join asked on counted.window_id = asked.window_id

),

differing as (

    select
        true as is_report,
        to_json(place) as told
    from (select * from places_asked except all select * from places_told) as place

    union all

    select
        false as is_report,
        to_json(place) as told
    from (select * from places_told except all select * from places_asked) as place

    union all

    select
        true as is_report,
        to_json(headline) as told
    from (select * from counts_asked except all select * from counts_told) as headline

    union all

    select
        false as is_report,
        to_json(headline) as told
    from (select * from counts_told except all select * from counts_asked) as headline

)

select * from differing
