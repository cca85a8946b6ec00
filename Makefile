# One folder, one environment: everything is installed into .venv from requirements.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONDONTWRITEBYTECODE :=  # compiled code is kept: the tests start hundreds of programs
# Boards drawn by touch and keyboard as well as by mouse, and 500 edits of one: for `make test-all`.
DRAWING := tests/web/test_drawing_table.py::test_a_board_is_drawn
LONGEST := $(DRAWING)_by_touch_on_a_tablet $(DRAWING)_with_the_keyboard_alone tests/web/test_first_board.py
.DEFAULT_GOAL := help
.PHONY: help setup serve test test-long test-all coverage lint check format mutants bench docs lock clean

help:  ## Say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.ready  ## Make .venv with everything in it

$(VENV)/.ready: requirements.lock pyproject.toml
	@./tools/make-venv "$(PYTHON)" "$(VENV)"
	@touch $@

serve: setup  ## Open an office with a game of every variant in mid-play, and print the addresses
	@$(BIN)/legation serve .demo --demo --plain-logs

test: setup  ## Run the tests, but for those that take long
	@./tools/check-scripts $(VENV) test
	@$(BIN)/pytest -n auto --dist worksteal -m "not long"

test-long: setup  ## Run the tests that take long, but for those that take longest (ROOMS="tests/office tests/judge")
	@$(BIN)/pytest -n auto --dist worksteal -m long $(LONGEST:%=--deselect %) $(ROOMS)

test-all: test  ## Run all tests
	@$(BIN)/pytest -n auto --dist worksteal -m long

lint: setup  ## Whether all is formatted, lint, types, import contracts
	@$(BIN)/ruff format --check src tests bench
	@$(BIN)/ruff check src tests bench
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config pyproject.toml
	@./tools/check-scripts $(VENV) lint

check: format lint test  ## Format, then all of lint, and the tests

format: setup  ## Format and mend what can be mended
	@$(BIN)/ruff check --fix-only -q src tests bench
	@$(BIN)/ruff format -q src tests bench

coverage: setup  ## Which lines of the code no test reaches
	@rm -rf .coverage && mkdir .coverage
	-@$(BIN)/coverage run -m pytest -n auto --dist worksteal
	@$(BIN)/coverage combine -q && $(BIN)/coverage report

mutants: setup  ## Change code and variants at random: do the tests notice? (SAMPLE=60 SEED=... PART=code|variants)
	@$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART)) $(if $(BAR),--bar $(BAR))

bench: setup  ## Measure speed, beside the reference
	@$(BIN)/python -m bench

docs: setup  ## Build the manual into docs/_build/html; a warning is a fault
	@$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

lock:  ## Resolve the lock file anew
	@$(BIN)/uv pip compile -q --generate-hashes --universal --python-version 3.11 --all-extras --group dev --group docs --no-header --no-emit-index-url --no-annotate pyproject.toml -o requirements.lock

clean:  ## Remove what was made
	rm -rf $(VENV) .bench .coverage docs/_build docs/reference/commands.md docs/reference/api.md .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis node_modules build dist
