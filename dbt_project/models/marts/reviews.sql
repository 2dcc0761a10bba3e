with

reviews as (

    select * from {{ ref('stg_github__reviews') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

people as (

    select * from {{ ref('int_people_named') }}

),

joined as (

    select
        reviews.review_id,
        reviews.thread_id,
        projects.project,
        reviews.author_id,
        coalesce(people.login, reviews.author_login) as author_login,
        coalesce(
            people.is_bot,
            reviews.author_type = 'Bot' or ends_with(reviews.author_login, '[bot]'),
            false
        ) as is_bot,
        reviews.author_association,
        reviews.state,
        reviews.body,
        reviews.url,
        reviews.submitted_at

    from reviews

    inner join projects
        on lower(reviews.repository) = lower(projects.repository)

    left join people
        on reviews.author_id = people.person_id

)

select * from joined
