-- A row is a rule for a part of a login that is off the bar.
select
    rule_id,
    strength
from {{ ref('ecosystem_people') }}
where
    match_kind = 'login_part'
    and strength != {{ var('tag_bar') }}
