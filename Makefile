.DEFAULT_GOAL := help
PYTHON ?= python3
CMD ?= git status
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
# What an installed clawwrap is made of: when any of it changes, it is installed again.
SOURCES := pyproject.toml $(shell find clawwrap adapters mappings -type f -not -name '*.pyc')

.PHONY: help run test check unit accuracy docs record build bench clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 8

run: $(VENV)/installed ## run a command: make run CMD='git status'
	@$(BIN)/clawwrap -o json -- $(CMD)

test: check unit ## set up, then lint, types and all tests

check: $(VENV)/dev ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: $(VENV)/dev ## all tests
	$(BIN)/python -m pytest -n auto

accuracy: $(VENV)/dev ## how often the code is right with the adapter removed, and the name hidden
	$(BIN)/python -m tests.accuracy

docs: $(VENV)/dev ## write the table of adapters in docs/adapters/
	$(BIN)/python -m tests.adapter_table

record: $(VENV)/dev ## run the tools again and compare: make record TOOL=rsync
	$(BIN)/python -m tests.record --check $(TOOL)

build: $(VENV)/dev ## build the wheel and the source archive into dist/
	$(BIN)/python -m build

bench: $(VENV)/bin/python ## measure what the wrapper costs: make bench ARGS='--quick --only startup'
	$(BIN)/python -m bench $(ARGS)

clean: ## remove everything that was made
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python $(SOURCES)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/dev: $(VENV)/bin/python $(SOURCES)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	@touch $@
