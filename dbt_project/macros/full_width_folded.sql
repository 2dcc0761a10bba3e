{# Full-width ASCII forms (ＲＯＣｍ) as plain ASCII; DuckDB's nfc_normalize leaves them. #}
{% macro full_width_folded(text) -%}
    -- Plain ASCII has nothing to fold, and translating is slow.
    case when strlen({{ text }}) = length({{ text }}) then {{ text }} else translate(
        {{ text }},
        '　！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠'
        || 'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀'
        || 'ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～',
        ' !"#$%&''()*+,-./0123456789:;<=>?@'
        || 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`'
        || 'abcdefghijklmnopqrstuvwxyz{|}~'
    ) end
{%- endmacro %}
