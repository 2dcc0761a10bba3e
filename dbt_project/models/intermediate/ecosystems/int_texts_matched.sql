{{ config(materialized='incremental', incremental_strategy='by_thread') }}

with

texts as (

    select * from {{ ref('int_texts_cleaned') }}
    {{ of_changed_threads() }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

matched as (
    {{ words_matched('texts', 'text_id', 'cleaned_text', 'words') }}
)

select
    matched.*,
    texts.thread_id

from matched

inner join texts
    on matched.text_id = texts.text_id
