with

{% for kind in ('issue_comment', 'review_comment') %}

{{ kind }}s as (  -- noqa: LT02,LT05

    select  -- noqa: LT02,LT05
        ---------- ids
        '{{ kind }}:' || id as comment_id,  -- noqa: LT02,LT05
        repository || '#' || number as thread_id,  -- noqa: LT02,LT05
        repository,  -- noqa: LT02,LT05
        {{ known_person('user_id', 'user_login') }} as author_id,  -- noqa: LT02,LT05

        ---------- text  -- noqa: LT02,LT05
        '{{ kind }}' as comment_kind,  -- noqa: LT02,LT05
        nullif(user_login, '') as author_login,  -- noqa: LT02,LT05
        user_type as author_type,  -- noqa: LT02,LT05
        author_association,  -- noqa: LT02,LT05
        coalesce(body, '') as body,  -- noqa: LT02,LT05
        minimized_reason,  -- noqa: LT02,LT05
        html_url as url,  -- noqa: LT02,LT05

        ---------- timestamps  -- noqa: LT02,LT05
        created_at,  -- noqa: LT02,LT05
        updated_at,  -- noqa: LT02,LT05
        fetched_at  -- noqa: LT02,LT05

    from {{ source('github', kind ~ 's') }}  -- noqa: LT02,LT05

),  -- noqa: LT02,LT05

{% endfor %}

stacked as (

    select * from issue_comments

    union all

    select * from review_comments

)

select * from stacked
