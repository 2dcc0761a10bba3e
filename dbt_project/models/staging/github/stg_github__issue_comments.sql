with

source as (

    select * from {{ source('github', 'issue_comments') }}

),

renamed as (

    select
        ---------- ids
        'issue_comment:' || id as comment_id,
        repository || '#' || number as thread_id,
        repository,
        {{ known_person('user_id', 'user_login') }} as author_id,

        ---------- text
        'issue_comment' as comment_kind,
        nullif(user_login, '') as author_login,
        user_type as author_type,
        author_association,
        coalesce(body, '') as body,
        minimized_reason,
        html_url as url,

        ---------- timestamps
        created_at,
        updated_at,
        fetched_at

    from source

)

select * from renamed
