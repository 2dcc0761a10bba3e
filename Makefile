# The only control panel. `make` prints it; docs/contract.md explains it.
# Every setting is an environment variable or a `NAME=value` after the target, read by
# the programs themselves: nothing of it is pasted into a shell line.
PYTHON ?= python3
PY := .venv/bin/python
# dbt would take a relative path from its own project; here it is from this folder.
DBT := at="$${BUILD_DIR:-build}"; case "$$at" in /*) ;; *) at="$$PWD/$$at" ;; esac; \
	DBT_TARGET_PATH="$$at/dbt" DBT_LOG_PATH="$$at/dbt/logs" \
	DBT_SEND_ANONYMOUS_USAGE_STATS=false .venv/bin/dbt
# Writing down every statement and all artifacts takes longer than running them.
BRIEFLY := --no-write-json --log-level-file info
IN_PROJECT := --project-dir dbt_project --profiles-dir .
PUBLISHED := at="$${WAREHOUSE:-data/warehouse.duckdb}"; history="$$(dirname "$$at")/history.duckdb"; \
	[ -f "$$history" ] || { echo "There is no $$history yet: run make report." >&2; exit 5; }
# What nobody looks at, in a file or a pipe, is plain.
SHELL_ON_IT := [ -t 1 ] && colours=on || colours=off; .venv/bin/duckdb -readonly \
	-cmd "set timezone = 'UTC'" -cmd ".highlight $$colours" "$$history"
MODELS_ONLY := --quiet --exclude-resource-types test unit_test

.DEFAULT_GOAL := help
.PHONY: help setup report demo test sync backfill reconcile details coverage build render site sql query docs lint format bench clean

help: ## print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile
	@echo
	@echo '  Settings: DATE=2026-03-04 KIND=day|week|month AT=20:17 HOURS=1 PROJECT=vllm LOCALE=zh|en'
	@echo '            WAREHOUSE BUILD_DIR BASELINE_DAYS MODE ALLOW_PARTIAL GITHUB_API_URL GITHUB_TOKEN'
	@echo '            PARQUET=1 (publish as Parquet files too)'
	@echo '            FULL=1 (compute every window anew, not only what is new or of the last days)'

setup: .venv/.ready ## install what the product needs into .venv

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed; name one with PYTHON=…' >&2; exit 2; }
	@$(PYTHON) -m venv .venv

# The locks are complete, so nothing is resolved: --no-deps.
.venv/.ready: requirements.lock | .venv/bin/python
	@echo 'Setting up .venv (once, about a minute) …' >&2
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@touch $@

.venv/.ready-dev: requirements-dev.lock .venv/.ready
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

report: .venv/.ready ## fetch what the window still needs, build, write the report (DATE=…)
	@$(PY) -m render check
	@$(PY) -m pipelines cover
	@$(DBT) build $(MODELS_ONLY) $(BRIEFLY) $(IN_PROJECT)
	@$(PY) -m pipelines publish --lock-wait 120
	@$(PY) -m render day

demo: .venv/.ready ## the same for 2026-03-04 on the bundled synthetic sample, offline
	@$(PY) -m sample demo --locale zh -- $(MAKE) --no-print-directory report
	@$(PY) -m sample demo --locale en -- $(MAKE) --no-print-directory render

sync: .venv/.ready ## fetch everything up to now
	@$(PY) -m pipelines sync

backfill: .venv/.ready ## fetch a stretch of history (FROM=… TO=…)
	@$(PY) -m pipelines backfill

reconcile: .venv/.ready ## find what was deleted or transferred
	@$(PY) -m pipelines reconcile

details: .venv/.ready ## read on at pull requests' sizes, files and reviews (needs GITHUB_TOKEN)
	@$(PY) -m pipelines details

coverage: .venv/.ready ## what is known to be loaded completely
	@$(PY) -m pipelines coverage

build: .venv/.ready ## build and test all models from what is loaded
	@$(PY) -m pipelines register
	@$(DBT) build --quiet $(IN_PROJECT)
	@$(PY) -m pipelines publish --lock-wait 120

render: .venv/.ready ## write one report from what is built (DATE=…)
	@$(PY) -m render day

site: .venv/.ready ## the static site of all reports
	@$(PY) -m render site

sql: .venv/.ready ## an SQL shell on the published history, read-only
	@$(PUBLISHED); $(SHELL_ON_IT)

query: .venv/.ready ## one query on the published history (Q="from marts.windows")
	@[ -n "$$Q" ] || { echo 'make query: name the query, e.g. Q="from marts.windows".' >&2; exit 2; }
	@$(PUBLISHED); $(SHELL_ON_IT) -c "$$Q"

docs: .venv/.ready ## data dictionary (docs/dictionary.md) and lineage (build/docs/)
	@$(PY) -m pipelines register
	@$(DBT) docs generate --quiet --static $(IN_PROJECT)
	@$(PY) -m docs

bench: .venv/.ready ## the benchmarks (NAMES="extraction targeted faults modelling")
	@$(PY) -m benchmarks

test: .venv/.ready-dev ## all tests, offline
	@$(PY) -m pytest -n auto

lint: .venv/.ready-dev ## ruff, mypy, sqlfluff
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@WAREHOUSE="$$PWD/build/lint/lint.duckdb" $(PY) -m pipelines register
	@WAREHOUSE="$$PWD/build/lint/lint.duckdb" $(PY) -m sqlfluff lint dbt_project/models dbt_project/data_tests

format: .venv/.ready-dev ## let ruff lay out the Python
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

clean: ## remove what can be made again (never data/)
	@rm -rf build .pytest_cache .mypy_cache .ruff_cache
