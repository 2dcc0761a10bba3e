with

listed_threads as (

    select * from {{ ref('rpt_listed_threads') }}

),

parsed as (

    select
        window_id,
        listing,
        position,
        thread_id,
        number,
        title,
        url,
        author_login,
        trim(split_part(title, ':', 1)) as title_prefix,
        -- "mi355_1" and "mi355_2" are one variant.
        lower(regexp_extract(
            substr(title, strpos(title, ':') + 1),
            '^[^[:alnum:]]*([[:alnum:]]+)',
            1
        )) as variant

    from listed_threads

    where
        author_login is not null
        and contains(title, ':')

),

variants as (

    select
        window_id,
        listing,
        author_login,
        title_prefix,
        variant,
        count(*) as thread_count

    from parsed

    group by window_id, listing, author_login, title_prefix, variant

),

variants_gathered as (

    select
        window_id,
        listing,
        author_login,
        title_prefix,
        list(
            {'variant': variant, 'thread_count': thread_count}
            order by thread_count desc, variant asc
        ) filter (where variant != '' and thread_count > 1) as variants

    from variants

    group by window_id, listing, author_login, title_prefix

),

digested as (

    select
        window_id,
        listing,
        author_login,
        title_prefix,
        count(*) as thread_count,
        list(
            {
                'thread_id': thread_id,
                'number': number,
                'title': title,
                'url': url
            }
            order by position
        ) as threads

    from parsed

    where title_prefix != ''

    group by window_id, listing, author_login, title_prefix

    having count(*) >= {{ var('min_digest_threads') }}

),

joined as (

    select
        digested.*,
        coalesce(variants_gathered.variants, []) as variants

    from digested

    inner join variants_gathered
        on
            digested.window_id = variants_gathered.window_id
            and digested.listing = variants_gathered.listing
            and digested.author_login = variants_gathered.author_login
            and digested.title_prefix = variants_gathered.title_prefix

)

select * from joined
