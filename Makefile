# Each target sets up what it needs: git, make and python3 are enough.
PYTHON ?= python3
CARD   ?= punto-banco
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help play serve test cover prove lint bench docs clean

help:                           ## this
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: .venv/play.stamp          ## a table in the terminal, with play money (CARD=fortune-six for another)
	$(BIN)/baccarat play $(CARD)

# An option that was given to make, and not by chance in the environment.
given = $(if $(filter command,$(origin $(1))),$(2) $($(1)))

serve: .venv/serve.stamp        ## a house with seven tables, on a SQLite file here (PORT=8001, HOST=0.0.0.0 for a network)
	$(BIN)/baccarat serve $(call given,PORT,--port) $(call given,HOST,--host)

# What the rooms of exact figures are tested by: there every branch counts, elsewhere time does.
EXACT := $(wildcard tests/test_core_*.py tests/test_loader.py tests/test_loader_files.py \
  tests/test_built_in_cards.py tests/test_roads.py tests/test_words.py tests/test_audit.py \
  tests/test_counts.py tests/test_chances.py tests/test_edges.py tests/test_sessions.py \
  tests/test_corner_*.py tests/test_golden.py tests/test_kernel.py tests/test_misdeals.py \
  tests/test_docs_rule_cards.py)

# One more than there are processors: a test that waits for a server or a browser leaves one idle.
WORKERS := $(shell expr $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) + 1)

test: lint                      ## everything that must hold: lint, types, layers, tests, coverage
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report= $(EXACT)
	$(BIN)/coverage report --fail-under=95 \
	  --include='*/baccarat/core/*,*/baccarat/loader/*,*/baccarat/roads.py,*/baccarat/analysis/*'
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(EXACT:%=--ignore=%)

cover: .venv/dev.stamp          ## which branches of everything the tests do not reach (takes twice as long)
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term

prove: .venv/dev.stamp          ## the long proofs: five thousand simulated houses, 100 000 player-days, fifty servers killed on each store, requests that meet 200 times
	SEEDS=5000 $(BIN)/python -m pytest -n auto --dist worksteal tests/test_house_simulation.py
	DAYS=100000 $(BIN)/python -m pytest tests/test_safety.py
	EXAMPLES=100 $(BIN)/python -m pytest -n auto --dist worksteal tests/test_openapi.py
	RACES=200 $(BIN)/python -m pytest tests/test_races.py
	KILLS=50 SECONDS=15 $(BIN)/python -m pytest tests/test_store_killed.py tests/test_serve_failures.py

lint: .venv/dev.stamp           ## the quick half of it: style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev.stamp          ## speed, as ratios
	$(BIN)/python benchmarks/analysis.py
	$(BIN)/python benchmarks/prompt.py
	$(BIN)/python benchmarks/sessions.py
	$(BIN)/python benchmarks/simulation.py
	$(BIN)/python benchmarks/strategies.py
	$(BIN)/python benchmarks/chisquare.py
	$(BIN)/python benchmarks/posters.py
	$(BIN)/python benchmarks/service.py
	$(BIN)/python benchmarks/pages.py

docs: .venv/dev.stamp           ## regenerate what the documentation takes from the code
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv build dist .coverage .*_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "baccarat needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

.venv/play.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up (once) ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

.venv/serve.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up the server (once) ..."
	@$(PIP) install --constraint constraints.txt --editable '.[serve]'
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up for development (once) ..."
	@$(PIP) install --constraint constraints.txt --upgrade 'pip>=25.1'
	@$(PIP) install --constraint constraints.txt --editable '.[all]' --group dev
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qq install chromium; } || \
	  $(BIN)/python -m playwright install chromium || echo "No Chromium: the tests of the pages are left out. On Debian: apt-get install chromium"
	@touch $@
