{#
    Rows of `counted` with the share of a topic or ecosystem against its usual one. It
    needs thread_count of active_thread_count in the window, and the same two summed over
    the covered windows before it, null where these are too few. What is a ratio of whole
    numbers is divided once, so that a lift that is the bar on paper is the bar here.
#}
{% macro share_compared(counted) %}
    select
        * exclude (earlier_thread_count, earlier_active_thread_count),
        coalesce(lift >= {{ var('rising_lift') }}, false)
        and thread_count >= {{ var('min_rising_threads') }} as is_rising,
        coalesce(
            lift <= 1 / {{ var('rising_lift') }}
            and expected_thread_count >= {{ var('min_rising_threads') }},
            false
        ) as is_falling

    from (
        select
            *,
            thread_count / nullif(active_thread_count, 0) as share,
            earlier_thread_count / nullif(earlier_active_thread_count, 0)
                as usual_share,
            active_thread_count * earlier_thread_count
            / nullif(earlier_active_thread_count, 0) as expected_thread_count,
            (thread_count + 1) * nullif(earlier_active_thread_count, 0)
            / (
                active_thread_count * earlier_thread_count
                + earlier_active_thread_count
            ) as lift

        from {{ counted }}
    ) as compared
{% endmacro %}
