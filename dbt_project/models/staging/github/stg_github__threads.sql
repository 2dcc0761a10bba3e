with

source as (

    select * from {{ source('github', 'issues') }}

),

renamed as (

    select
        ---------- ids
        repository || '#' || number as thread_id,
        repository,
        number,
        {{ known_person('user_id', 'user_login') }} as author_id,

        ---------- text
        coalesce(title, '') as title,
        coalesce(body, '') as body,
        state,
        state_reason,
        nullif(user_login, '') as author_login,
        user_type as author_type,
        author_association,
        coalesce(
            first_author_association, author_association
        ) as first_author_association,
        coalesce(from_json(labels, '["VARCHAR"]'), []) as labels,
        case when is_pull_request then 'pr' else 'issue' end as kind,
        html_url as url,

        ---------- booleans
        coalesce(is_draft, false) as is_draft,

        ---------- timestamps
        created_at,
        updated_at,
        closed_at,
        merged_at,
        fetched_at

    from source

)

select * from renamed
