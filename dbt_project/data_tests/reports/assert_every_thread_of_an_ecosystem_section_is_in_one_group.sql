/*
A row is a thread of an ecosystem's section that is in no group or in several, or a pair
that is tied by a link and parted by the groups.
*/
with

tagged as (

    select * from {{ ref('rpt_ecosystem_threads') }}

),

members as (

    select * from {{ ref('rpt_ecosystem_groups') }}

),

unnested as (

    select
        window_id,
        ecosystem,
        thread_id,
        unnest(linked_threads) as link

    from tagged

),

tied as (

    select
        window_id,
        ecosystem,
        thread_id,
        struct_extract(link, 'thread_id') as linked_thread_id

    from unnested

)

select
    tagged.window_id,
    tagged.ecosystem,
    tagged.thread_id,
    null as linked_thread_id
from tagged
left join members
    on
        tagged.window_id = members.window_id
        and tagged.ecosystem = members.ecosystem
        and tagged.thread_id = members.thread_id
group by tagged.window_id, tagged.ecosystem, tagged.thread_id
having count(members.thread_id) != 1

union all

select
    tied.window_id,
    tied.ecosystem,
    tied.thread_id,
    tied.linked_thread_id
from tied
inner join members
    on
        tied.window_id = members.window_id
        and tied.ecosystem = members.ecosystem
        and tied.thread_id = members.thread_id
inner join members as others
    on
        tied.window_id = others.window_id
        and tied.ecosystem = others.ecosystem
        and tied.linked_thread_id = others.thread_id
where members.group_position != others.group_position
