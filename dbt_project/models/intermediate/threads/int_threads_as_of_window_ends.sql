with

rewound as (

    select * from {{ ref('int_all_threads_rewound') }}
    {{ of_windows_to_build() }}

)

select * from rewound
