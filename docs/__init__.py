"""The pages beside this file, and what writes the generated ones.

`dictionary.md` is written from dbt's manifest by `make docs`; the results shown in
`cookbook.md` are written by its own test, which runs every query on the sample.
"""
