with

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

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

-- A revert is called by what it takes back, and a revert of a revert too.
prefixed as (

    select
        title,
        folded_title,
        {{ title_prefix('folded_title') }} as prefix

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
