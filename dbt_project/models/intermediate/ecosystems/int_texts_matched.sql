{{ config(materialized='table') }}

with

texts as (

    select * from {{ ref('int_texts_cleaned') }}

),

words as (

    select * from {{ ref('ecosystem_words') }}

),

matched as (
    {{ words_matched('texts', 'text_id', 'cleaned_text', 'words') }}
)

select * from matched
