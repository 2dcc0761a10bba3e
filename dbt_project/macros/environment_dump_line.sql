{#
    A line of `collect_env.py`'s output pasted without its fence. What it names is what
    the script looks for, not what the thread is about.
#}
{% macro environment_dump_line() -%}
    '(?im)^[ \t*|-]*('
    || '(rocm|cuda) used to build pytorch|(hip|miopen|cuda) runtime version'
    || '|(rocm|hip) version[ \t]*:[ \t]*(n/?a|could not collect|none)'
    || '|gpu models and configuration|gpu [0-9]+|cuda archs|vllm build flags'
    || '|vendor id|model name|cpu|cpu\(s\)|architecture|virtualization'
    || '|nvidia driver version|cudnn version|is (cuda|xnnpack|debug).*'
    || ')[ \t]*(:.*)?$'
{%- endmacro %}
