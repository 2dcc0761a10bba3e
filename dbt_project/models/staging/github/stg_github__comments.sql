with

{% for kind in ('issue_comment', 'review_comment') %}

    {{ kind }}s as (

        select
        ---------- ids
            '{{ kind }}:' || id as comment_id,
            repository || '#' || number as thread_id,
            repository,
            {{ known_person('user_id', 'user_login') }} as author_id,

            ---------- text
            '{{ kind }}' as comment_kind,
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

        from {{ source('github', kind ~ 's') }}

    ),

{% endfor %}

stacked as (

    select * from issue_comments

    union all

    select * from review_comments

)

select * from stacked
