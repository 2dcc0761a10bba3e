{{ config(materialized='table') }}

with recursive

as_of_window_ends as (

    select * from {{ ref('int_threads_as_of_windows') }}
    {{ of_windows_to_build() }}

),

threads as (

    select * from {{ ref('threads') }}

),

thread_windows as (

    select * from {{ ref('thread_windows') }}
    {{ of_windows_to_build() }}

),

linked as (

    select * from {{ ref('int_linked_threads') }}

),

thread_links as (

    select * from {{ ref('thread_links') }}

),

matches as (

    select * from {{ ref('int_term_matches') }}
    where vocabulary = 'change'

),

words as (

    select * from {{ ref('change_words') }}

),

kinds as (

    select * from {{ ref('change_kinds') }}

),

pull_details as (

    select * from {{ ref('stg_github__pull_details') }}

),

changes as (

    select
        thread_windows.window_id,
        thread_windows.thread_id,
        as_of_window_ends.title,
        as_of_window_ends.labels,
        as_of_window_ends.status,
        list_contains(thread_windows.listings, 'merged_pr') as is_merged,
        thread_windows.participant_count

    from thread_windows

    inner join as_of_window_ends
        on
            thread_windows.window_id = as_of_window_ends.window_id
            and thread_windows.thread_id = as_of_window_ends.thread_id

    where list_has_any(thread_windows.listings, ['new_pr', 'merged_pr'])

),

reverts as (

    select
        thread_id,
        linked_thread_id

    from thread_links

    where relation = 'reverts'

),

-- What a revert takes back may be one itself, whatever its title says.
chained as (

    select
        thread_id,
        linked_thread_id,
        1 as revert_count

    from reverts

    union

    select
        chained.thread_id,
        reverts.linked_thread_id,
        chained.revert_count + 1 as revert_count

    from chained

    inner join reverts
        on chained.linked_thread_id = reverts.thread_id

    -- Enough for any quarrel, and for two that revert each other.
    where chained.revert_count < 9

),

chains_counted as (

    select
        chained.thread_id,
        max(
            chained.revert_count
            + coalesce({{ quoted_revert_count('threads.title') }}, 0)
        ) as revert_count

    from chained

    left join threads
        on chained.linked_thread_id = threads.thread_id

    group by chained.thread_id

),

taken_back as (

    select distinct
        window_id,
        thread_id

    from linked

    where
        list_contains(relations, 'reverted_by')
        and linked_status = 'merged'

),

labelled as (

    select
        window_id,
        thread_id,
        unnest(list_distinct(labels)) as label

    from changes

),

named as (

    select
        changes.window_id,
        changes.thread_id,
        words.change_kind,
        words.signal,
        words.rule_id,
        matches.matched

    from changes

    inner join matches
        on
            changes.thread_id = matches.thread_id
            and changes.title = matches.title

    inner join words
        on matches.rule_id = words.rule_id

    union all

    -- `feat!:`
    select
        window_id,
        thread_id,
        'breaking' as change_kind,
        'prefix' as signal,
        'breaking-prefix-mark' as rule_id,
        '!' as matched

    from changes

    where regexp_matches({{ title_prefix('title') }}, '!:\s*$')

    union all

    select
        labelled.window_id,
        labelled.thread_id,
        words.change_kind,
        words.signal,
        words.rule_id,
        labelled.label as matched

    from labelled

    inner join words
        on lower(labelled.label) = lower(words.term)

    where words.signal in ('label', 'path_label')

),

-- What a body says counts against a kind, never for one.
denied as (

    select distinct
        matches.thread_id,
        words.change_kind

    from matches

    inner join words
        on matches.rule_id = words.rule_id and words.signal = 'body'

),

-- The clearest signal decides, and of what it names the least: a fix of the docs is
-- docs. A label of danger is as clear as a prefix; one set by paths says the least.
decided as (

    select named.*

    from named

    inner join kinds
        on named.change_kind = kinds.change_kind

    anti join denied
        on
            named.thread_id = denied.thread_id
            and named.change_kind = denied.change_kind

    qualify row_number() over (
        partition by named.window_id, named.thread_id
        order by
            case
                when named.signal in ('title', 'prefix') then 1
                when named.signal = 'label' and kinds.merged_tier = 1 then 1
                when named.signal = 'label' then 2
                when named.signal = 'wording' then 3
                else 4
            end,
            kinds.precedence,
            named.rule_id,
            named.matched
    ) = 1

),

-- An issue that a bot opened was reported by nobody.
repaired as (

    select
        linked.window_id,
        linked.thread_id,
        cast(sum(linked.linked_affected_people_count) as bigint)
            as affected_people_count

    from linked

    inner join threads
        on linked.linked_thread_id = threads.thread_id

    where
        linked.linked_kind = 'issue'
        and linked.linked_status is not null
        and list_contains(linked.relations, 'fixes')
        and not threads.is_bot_author

    group by linked.window_id, linked.thread_id

),

classified as (

    select
        changes.* exclude (title, labels),  -- noqa: RF02
        kinds.change_kind,
        kinds.merged_tier,
        kinds.is_minor,
        if(kinds.change_kind = 'revert', null, decided.signal) as change_signal,
        if(kinds.change_kind = 'revert', null, decided.matched) as change_matched,
        taken_back.thread_id is not null as is_reverted,
        repaired.thread_id is not null as is_repair,
        coalesce(repaired.affected_people_count, 0) as affected_people_count,
        pull_details.additions + pull_details.deletions as line_count

    from changes

    left join chains_counted
        on changes.thread_id = chains_counted.thread_id

    left join taken_back
        on
            changes.window_id = taken_back.window_id
            and changes.thread_id = taken_back.thread_id

    left join decided
        on
            changes.window_id = decided.window_id
            and changes.thread_id = decided.thread_id

    inner join kinds
        on
            kinds.change_kind = case
                -- An even number lands again what was taken back.
                when
                    greatest(
                        {{ quoted_revert_count('changes.title') }},
                        coalesce(chains_counted.revert_count, 0)
                    ) % 2 = 1
                    then 'revert'
                else coalesce(decided.change_kind, 'other')
            end

    left join repaired
        on
            changes.window_id = repaired.window_id
            and changes.thread_id = repaired.thread_id

    left join pull_details
        on changes.thread_id = pull_details.thread_id

),

tiered as (

    select
        *,
        case
            when is_minor or is_reverted or status = 'closed' then 5
            when is_merged then coalesce(merged_tier, if(is_repair, 3, 5))
            when merged_tier is not null or is_repair then 4
            else 5
        end as tier,
        list_filter(
            [
                if(is_reverted, 'reverted', null),
                if(is_minor or merged_tier is not null, change_kind, null),
                if(is_repair and not is_minor, 'reported_issue', null),
                case
                    when is_merged then 'merged'
                    when status = 'closed' then 'closed_unmerged'
                    else status
                end
            ],
            lambda reason: reason is not null
        ) as reasons

    from classified

)

select * exclude (merged_tier) from tiered
