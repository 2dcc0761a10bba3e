with

placed as (

    select * from {{ ref('int_all_comments_placed') }}
    {{ of_windows_to_build() }}

)

select * from placed
