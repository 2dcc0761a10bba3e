with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_window_ends') }}

),

distinct_titles as (

    select distinct title from as_of_window_ends

),

titles as (

    select
        title,
        {{ full_width_folded('title') }} as folded_title

    from distinct_titles

),

-- `[Bugfix][Core]`, `fix(docs):` or `Revert` at the start.
prefixed as (

    select
        title,
        folded_title,
        regexp_extract(
            folded_title,
            '^\s*((\[[^\]]*\]\s*:?\s*)+'
            || '|[A-Za-z][A-Za-z ]{0,20}(\([^)]*\))?!?:\s'
            || '|(?i:revert)\s)'
        ) as prefix

    from titles

),

parted as (

    select
        title,
        prefix,
        substring(folded_title, length(prefix) + 1) as wording

    from prefixed

)

select * from parted
