with

issue_comments as (

    select * from {{ ref('stg_github__issue_comments') }}

),

review_comments as (

    select * from {{ ref('stg_github__review_comments') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

stacked as (

    select * from issue_comments

    union all

    select * from review_comments

),

joined as (

    select
        ---------- ids
        stacked.comment_id,
        stacked.thread_id,
        projects.project,
        stacked.author_id,

        ---------- text
        stacked.comment_kind,
        people.login as author_login,
        stacked.author_association,
        stacked.body,
        stacked.url,

        ---------- booleans
        coalesce(people.is_bot, false) as is_bot,
        stacked.minimized_reason is not null as is_minimized,

        ---------- timestamps
        stacked.created_at,
        stacked.updated_at

    from stacked

    inner join projects
        on stacked.repository = projects.repository

    left join people
        on stacked.author_id = people.person_id

)

select * from joined
