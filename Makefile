# `make run` and `make test` do all their own set-up, in a virtual environment they make themselves.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
RUN_STAMP := $(VENV)/.run-ready
DEV_STAMP := $(VENV)/.dev-ready
HUB_VENV := .venv-hub

.PHONY: run test check lint types bench eval docs clean test-hub check-corpora lock setup

run: $(RUN_STAMP)
ifeq ($(HEADLESS),1)
	@$(BIN)/legacylens up --headless
else
	@exec $(BIN)/legacylens up
endif

test: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile tests legacylens_assets legacylens_eval query_api

check: lint types $(DEV_STAMP)
	DAGSTER_HOME=$(CURDIR) $(BIN)/python -W ignore -m dagster definitions validate -w workspace.yaml

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV_STAMP)
	$(BIN)/mypy

eval: $(RUN_STAMP)
	$(BIN)/legacylens eval run

bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.latency
	$(BIN)/python -m benchmarks.kill
	$(BIN)/python -m benchmarks.load

check-corpora: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.corpora

test-hub: $(DEV_STAMP)
	@.ci/test-hub $(HUB_VENV)

setup: $(DEV_STAMP)

$(BIN)/python:
	@for python in python3.11 python3.12 python3.13 python3; do \
	  if command -v $$python >/dev/null && $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	    if $$python -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); virtualenv -q -p $$python $(VENV) 2>/dev/null; }; then exit 0; fi; \
	  fi; \
	done; rm -rf $(VENV); echo "Python 3.11 or newer with venv is needed: on Debian, apt-get install python3 python3-venv make git"; exit 1

$(RUN_STAMP): $(BIN)/python pyproject.toml constraints.txt
	@echo "installing LegacyLens into $(VENV)"
	@$(PIP) install -c constraints.txt -e '.[all]'
	@touch $@

$(DEV_STAMP): $(RUN_STAMP)
	@$(PIP) install -c constraints.txt -e '.[all,dev]'
	@touch $@

lock: $(BIN)/python
	@rm -rf .venv-lock && $(BIN)/python -m venv .venv-lock
	@.venv-lock/bin/python -m pip -qq install '.[all,dev,browser]'
	@{ echo "# Exact versions for every install; \`make lock\` writes this file. torch is in none of them: see the extra hub."; \
	  .venv-lock/bin/python -m pip list --format=freeze | grep -viE '^(legacylens|pip|setuptools|wheel|torch|triton|nvidia[a-z0-9-]*)=='; } > constraints.txt
	@rm -rf .venv-lock

clean:
	rm -rf $(VENV) $(HUB_VENV) .pytest_cache .mypy_cache .ruff_cache
