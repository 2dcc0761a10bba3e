with

source as (

    select * from {{ source('github', 'issue_events') }}

),

renamed as (

    select
        ---------- ids
        'issue_event:' || id as event_id,
        repository || '#' || number as thread_id,
        repository,
        {{ known_person('actor_id', 'actor_login') }} as actor_id,

        ---------- text
        event,
        nullif(actor_login, '') as actor_login,
        actor_type,
        label_name as label,
        rename_from,
        rename_to,
        state_reason,

        ---------- numerics
        -- GitHub's ids grow with time: they order what happened within one second.
        id as event_sequence,

        ---------- timestamps
        created_at as occurred_at,
        fetched_at

    from source

)

select * from renamed
