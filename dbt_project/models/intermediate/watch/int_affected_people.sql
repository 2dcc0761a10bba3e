{{ config(materialized='table') }}

with

threads as (

    select * from {{ ref('threads') }}

),

comments as (

    select * from {{ ref('comments') }}

),

matches as (

    select * from {{ ref('int_term_matches') }}
    where vocabulary = 'affected' and signal = 'comment'

),

joining as (

    select text_id as comment_id

    from matches

    group by text_id

    -- "I cannot reproduce the same issue" joins nobody.
    having bool_and(meaning = 'affected')

),

affected as (

    select
        thread_id as text_id,
        thread_id,
        cast(author_id as varchar) as person_id,
        created_at as affected_at,
        missing_since_at

    from threads

    where
        kind = 'issue'
        and not is_bot_author

    union all

    select
        comments.comment_id as text_id,
        comments.thread_id,
        cast(comments.author_id as varchar) as person_id,
        comments.created_at as affected_at,
        comments.missing_since_at

    from comments

    semi join joining
        on comments.comment_id = joining.comment_id

    inner join threads
        on comments.thread_id = threads.thread_id

    where
        not comments.is_bot
        -- A ghost may be anybody, also the author.
        and comments.author_id is not null
        and comments.author_id is distinct from threads.author_id

)

select
    text_id,
    thread_id,
    coalesce(person_id, 'ghost') as person_id,
    affected_at,
    missing_since_at

from affected
