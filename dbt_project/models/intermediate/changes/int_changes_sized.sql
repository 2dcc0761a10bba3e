with

pull_details as (

    select * from {{ ref('stg_github__pull_details') }}

),

changed_files as (

    select * from {{ ref('changed_files') }}

),

-- The first two folders of a path name the part; a file at the top is one itself.
placed as (

    select
        thread_id,
        coalesce(additions, 0) + coalesce(deletions, 0) as line_count,
        left(
            case
                when contains(path, '/')
                    then array_to_string(string_split(path, '/')[:-2][:2], '/')
                else path
            end,
            {{ var('area_characters') }}
        ) as area

    from changed_files

),

areas_counted as (

    select
        thread_id,
        area,
        sum(line_count) as line_count

    from placed

    where area != ''

    group by thread_id, area

),

areas_listed as (

    select
        thread_id,
        list(
            area
            order by line_count desc, area asc
        ) as areas

    from areas_counted

    group by thread_id

),

sized as (

    select
        pull_details.thread_id,
        pull_details.additions,
        pull_details.deletions,
        pull_details.changed_file_count,
        coalesce(areas_listed.areas, [])[:{{ var('named_area_count') }}] as areas,
        len(coalesce(areas_listed.areas, [])) as area_count

    from pull_details

    left join areas_listed
        on pull_details.thread_id = areas_listed.thread_id

)

select * from sized
