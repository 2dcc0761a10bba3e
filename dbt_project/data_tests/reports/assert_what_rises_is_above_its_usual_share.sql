/*
A row is a topic or an ecosystem that is said to rise in a window in which its share,
the number that is plotted, is not above its usual one; or to fall where it is not
below it.
*/
with

stacked as (

    select
        window_id,
        topic as subject,
        share,
        usual_share,
        is_rising,
        is_falling

    from {{ ref('topics_by_window') }}

    union all

    select
        window_id,
        ecosystem as subject,
        share,
        usual_share,
        is_rising,
        is_falling

    from {{ ref('rpt_ecosystem_share') }}

)

select *
from stacked
where
    (is_rising and not coalesce(share > usual_share, false))
    or (is_falling and not coalesce(share < usual_share, false))
    or (is_rising and is_falling)
