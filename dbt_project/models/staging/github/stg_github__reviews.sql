with

source as (

    select * from {{ source('github', 'reviews') }}

),

renamed as (

    select
        ---------- ids
        id as review_id,
        repository || '#' || number as thread_id,
        repository,
        {{ known_person('user_id', 'user_login') }} as author_id,

        ---------- text
        nullif(user_login, '') as author_login,
        user_type as author_type,
        author_association,
        lower(state) as state,
        coalesce(body, '') as body,
        html_url as url,

        ---------- timestamps
        submitted_at,
        fetched_at

    from source

)

select * from renamed
