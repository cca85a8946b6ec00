# One folder, one environment: everything is installed into .venv from requirements.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONDONTWRITEBYTECODE :=  # compiled code is kept: the tests start hundreds of programs
.DEFAULT_GOAL := help
.PHONY: help setup serve test test-slow test-long test-all list-long list-longest test-python coverage lint check format mutants bench docs pictures lock clean

VERSION ?= 3.13
# One more than there are processors: tests that wait for a browser or a server leave room for others.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

help:  ## Say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.ready  ## Make .venv with everything in it

$(VENV)/.ready: requirements.lock pyproject.toml
	@./tools/make-venv "$(PYTHON)" "$(VENV)"
	@touch $@

serve: setup  ## Open an office with a game of every variant in mid-play, and print the addresses
	@$(BIN)/legation serve .demo --demo --plain-logs

test: setup  ## Run the quick tests
	@./tools/check-scripts $(VENV) test
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not slow"

test-slow: setup  ## Run the tests that are neither quick nor long
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "slow and not long"

test-long: setup  ## Run the tests that take long, but for those that take longest (ROOMS="tests/office tests/judge")
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "long and not longest" $(ROOMS)

test-all: setup  ## Run all tests, and let searches draw new examples
	@./tools/check-scripts $(VENV) test
	@TESTS_SEARCH=anew $(BIN)/pytest -n $(WORKERS) --dist worksteal

list-long list-longest: setup  ## List the tests that take long, or longest: how many of which function
	@$(BIN)/pytest --collect-only -m "$(if $(filter list-long,$@),long and not longest,longest)" $(ROOMS) | grep :: | sed -E 's/\[.*//' | sort | uniq -c

test-python: setup  ## Run the tests of the engine and the office by another Python (VERSION=3.13), which uv finds or brings
	@$(BIN)/uv venv -q --allow-existing --python $(VERSION) .venv-$(VERSION)
	@$(BIN)/uv pip install -q --python .venv-$(VERSION)/bin/python -r requirements.lock
	@$(BIN)/uv pip install -q --python .venv-$(VERSION)/bin/python --no-deps --no-build-isolation -e .
	@.venv-$(VERSION)/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" $(or $(ROOMS),tests/notation tests/judge tests/game tests/office)

lint: setup  ## Whether all is formatted, lint, types, import contracts
	@$(BIN)/ruff format --check src tests bench
	@$(BIN)/ruff check src tests bench
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config pyproject.toml
	@./tools/check-scripts $(VENV) lint

check: format lint test  ## Format, then all of lint, and the tests

format: setup  ## Format and mend what can be mended
	@$(BIN)/python -m legation.cli.help_building
	@$(BIN)/ruff check --fix-only -q src tests bench
	@$(BIN)/ruff format -q src tests bench
	@./tools/check-scripts $(VENV) format

coverage: setup  ## Which lines of the code no test reaches
	@rm -rf .coverage && mkdir .coverage
	-@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal
	@$(BIN)/coverage combine -q && $(BIN)/coverage report

mutants: setup  ## Change code and variants at random: do the tests notice? (SAMPLE=60 SEED=... PART=code|variants)
	@$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART)) $(if $(BAR),--bar $(BAR))

bench: setup  ## Measure speed, beside the reference
	@$(BIN)/python -m bench

docs: setup  ## Build the manual into docs/_build/html; a warning is a fault
	@$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

pictures: setup  ## Make the pictures of README and the manual anew (NAMES="standard mail"); look at each before it is kept
	@$(BIN)/python -m tests.pictures $(NAMES)

# All extras but train, which brings PyTorch: nothing here but training needs it.
LOCKED := lab cluster environment mcp pictures office client authoring
lock:  ## Resolve the lock file anew
	@$(BIN)/uv pip compile -q --generate-hashes --universal --python-version 3.11 $(LOCKED:%=--extra %) --group dev --group docs --no-header --no-emit-index-url --no-annotate pyproject.toml -o requirements.lock

clean:  ## Remove what was made
	rm -rf $(VENV) .venv-3.* .bench .coverage docs/_build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis node_modules build dist
