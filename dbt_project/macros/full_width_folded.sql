{# Full-width ASCII forms (ＲＯＣｍ) as plain ASCII; DuckDB's nfc_normalize leaves them. #}
{% macro full_width_folded(text) -%}
    translate(
        {{ text }},
        '　！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠'
        || 'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀'
        || 'ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～',
        ' !"#$%&''()*+,-./0123456789:;<=>?@'
        || 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`'
        || 'abcdefghijklmnopqrstuvwxyz{|}~'
    )
{%- endmacro %}
