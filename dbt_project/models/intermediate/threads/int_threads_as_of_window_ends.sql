with

rewound as (

    select * from {{ ref('int_all_threads_rewound') }}
    {{ of_touched_windows() }}

)

select * from rewound
