with

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

windows as (

    select * from {{ ref('windows') }}

),

projects as (

    select * from {{ ref('stg_pipelines__projects') }}

),

threads as (

    select * from {{ ref('threads') }}

),

-- Hours of the project's own clock: a reader is told "between 22:00 and 02:00".
members as (

    select
        listed_threads.window_id,
        listed_threads.listing,
        listed_threads.thread_id,
        listed_threads.labels,
        projects.time_zone,
        date_trunc('hour', timezone(projects.time_zone, listed_threads.event_at))
            as local_hour,
        threads.created_at
        < windows.window_end_at - interval '{{ var("long_open_days") }} days'
            as is_long_open

    from listed_threads

    inner join windows
        on listed_threads.window_id = windows.window_id

    inner join projects
        on windows.project = projects.project

    inner join threads
        on listed_threads.thread_id = threads.thread_id

),

listing_totals as (

    select
        window_id,
        listing,
        count(*) as listing_count

    from members

    group by window_id, listing

),

hours as (

    select distinct
        window_id,
        listing,
        local_hour

    from members

),

hours_counted as (

    select
        hours.window_id,
        hours.listing,
        hours.local_hour as local_start,
        count(*) as thread_count

    from hours

    inner join members
        on
            hours.window_id = members.window_id
            and hours.listing = members.listing
            and hours.local_hour <= members.local_hour
            and hours.local_hour + interval '{{ var("batch_hours") }} hours'
            > members.local_hour

    group by hours.window_id, hours.listing, hours.local_hour

),

-- Of blocks that hold equally many the first.
batches as (

    select
        hours_counted.*,
        listing_totals.listing_count

    from hours_counted

    inner join listing_totals
        on
            hours_counted.window_id = listing_totals.window_id
            and hours_counted.listing = listing_totals.listing

    where
        hours_counted.thread_count >= {{ var('min_batch_threads') }}
        and hours_counted.thread_count * 2 > listing_totals.listing_count

    qualify row_number() over (
        partition by hours_counted.window_id, hours_counted.listing
        order by hours_counted.thread_count desc, hours_counted.local_start asc
    ) = 1

),

batch_members as (

    select
        batches.window_id,
        batches.listing,
        members.labels,
        members.is_long_open,
        members.time_zone

    from batches

    inner join members
        on
            batches.window_id = members.window_id
            and batches.listing = members.listing
            and batches.local_start <= members.local_hour
            and batches.local_start + interval '{{ var("batch_hours") }} hours'
            > members.local_hour

),

labels_counted as (

    select
        batch_members.window_id,
        batch_members.listing,
        labels.label,
        count(*) as label_count

    from batch_members

    cross join unnest(batch_members.labels) as labels (label)

    group by batch_members.window_id, batch_members.listing, labels.label

),

ages_counted as (

    select
        window_id,
        listing,
        any_value(time_zone) as time_zone,
        count(*) filter (where is_long_open) as long_open_count

    from batch_members

    group by window_id, listing

),

joined as (

    select
        batches.window_id,
        batches.listing,
        timezone(ages_counted.time_zone, batches.local_start) as batch_start_at,
        timezone(
            ages_counted.time_zone,
            batches.local_start + interval '{{ var("batch_hours") }} hours'
        ) as batch_end_at,
        batches.thread_count,
        batches.listing_count,
        ages_counted.long_open_count,
        labels_counted.label as common_label,
        labels_counted.label_count as common_label_count

    from batches

    inner join ages_counted
        on
            batches.window_id = ages_counted.window_id
            and batches.listing = ages_counted.listing

    left join labels_counted
        on
            batches.window_id = labels_counted.window_id
            and batches.listing = labels_counted.listing
            and batches.thread_count < labels_counted.label_count * 2

    qualify row_number() over (
        partition by batches.window_id, batches.listing
        order by labels_counted.label_count desc, labels_counted.label asc
    ) = 1

)

select * from joined
