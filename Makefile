# Each target installs what it needs; only git, make and python3 are required.
PYTHON ?= python3
CARD   ?= punto-banco
# Tests start hundreds of processes. Without bytecode files, each would compile the whole source again.
unexport PYTHONDONTWRITEBYTECODE

BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help play serve test rest exact cover prove mutate-requirements lint bench bench-report bench-check golden docs firefox pictures-check pictures-accept clean

help:                           ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

play: .venv/play.stamp          ## play at a table in the terminal (CARD=fortune-six for another game)
	$(BIN)/baccarat play $(CARD)

# An option for baccarat, if its variable was set on make's command line (the environment is ignored).
given = $(if $(filter command,$(origin $(1))),$(2) $($(1)))

serve: .venv/serve.stamp        ## start a server with seven tables (PORT=8001; HOST=0.0.0.0 to open it to the network)
	$(BIN)/baccarat serve $(call given,PORT,--port) $(call given,HOST,--host)

# To save time, branch coverage is measured only for the packages that compute exact results. Property tests and
# tests marked `no_cover` compare too many cases to be traced; other tests reach the same code.
COVERED := core wording loader analysis figures
EXACT   := $(addprefix tests/,$(COVERED) rulecards)

# Two workers per processor, because tests often wait for a server or a browser.
WORKERS := $(shell expr $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) '*' 2)

# In parallel: the exact tests are CPU-bound, and run while the other tests wait.
test: .venv/dev.stamp           ## run all checks: style, types, import layers, tests, coverage
	$(MAKE) --jobs=3 lint exact rest

rest: .venv/dev.stamp
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(EXACT:%=--ignore=%)

exact: .venv/dev.stamp
	nice $(BIN)/python -m pytest -n auto --dist worksteal $(COVERED:%=--cov=baccarat.%) --cov-report= $(EXACT)
	$(BIN)/coverage report --fail-under=95

cover: .venv/dev.stamp          ## measure branch coverage in all packages (takes twice as long)
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term

# `make test` runs a sample of each of these (tests/support/samples.py).
prove: .venv/dev.stamp          ## run the long tests in full: 5,000 simulated casinos, 100,000 player-days, 50 killed servers per database, 200 runs of each race
	SEEDS=5000 $(BIN)/python -m pytest -n auto --dist worksteal tests/service/test_house_simulation.py
	DAYS=100000 $(BIN)/python -m pytest tests/house/test_safety.py
	EXAMPLES=100 $(BIN)/python -m pytest -n auto --dist worksteal tests/web/test_openapi.py
	RACES=200 $(BIN)/python -m pytest tests/service/test_races.py tests/security/test_staff.py
	KILLS=50 SECONDS=15 $(BIN)/python -m pytest tests/store/test_killed.py tests/cli/test_serve_failures.py
	DOCUMENTS=5000 $(BIN)/python -m pytest tests/security/test_verifiers.py
	TABLES=1000 DEALERS=50 $(BIN)/python -m pytest -n auto --dist worksteal tests/table/test_stateful.py tests/table/test_manual_control.py
	CARDS=100 NETWORKS=4 GAMES=7 $(BIN)/python -m pytest -n auto --dist worksteal -p no:rerunfailures tests/browser
	PROPERTIES=500 $(BIN)/python -m pytest -n auto --dist worksteal $(EXACT) tests/shoe tests/table tests/counting

mutate-requirements: .venv/dev.stamp ## break each requirement, and list those whose tests do not notice (ROWS=R52,G13 for some)
	PYTHONPATH=tests $(BIN)/python tests/mutations/run.py $(call given,ROWS,--rows) $(call given,JOBS,--jobs)

lint: .venv/dev.stamp           ## run the quick checks: style, types, import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev.stamp          ## measure speed, as ratios to a baseline
	$(BIN)/python benchmarks/analysis.py
	$(BIN)/python benchmarks/hand_facts.py
	$(BIN)/python benchmarks/prompt.py
	$(BIN)/python benchmarks/sessions.py
	$(BIN)/python benchmarks/simulation.py
	$(BIN)/python benchmarks/strategies.py
	$(BIN)/python benchmarks/chisquare.py
	$(BIN)/python benchmarks/posters.py
	$(BIN)/python benchmarks/service.py
	$(BIN)/python benchmarks/network.py
	$(BIN)/python benchmarks/pages.py

# Node drives Firefox through puppeteer-core; no driver program is needed.
firefox: .venv/dev.stamp        ## play in Firefox: sit down, bet, result, history, verify the shoe
	@command -v firefox-esr firefox >/dev/null && command -v npm >/dev/null || \
	  { test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qq install firefox-esr npm; } || \
	  { echo "This needs Firefox and npm. On Debian: apt-get install firefox-esr npm"; exit 1; }
	@test -d .venv/firefox/node_modules/puppeteer-core || \
	  npm install --silent --no-save --prefix .venv/firefox puppeteer-core@24.43.1
	PYTHONPATH=tests $(BIN)/python tests/firefox/run.py

bench-report: .venv/dev.stamp   ## measure the recorded ratios again and rewrite their table in benchmarks/README.md
	$(BIN)/python benchmarks/report.py

bench-check: .venv/dev.stamp    ## fail if a ratio is more than 20 % worse than the recorded one
	$(BIN)/python benchmarks/report.py --check

pictures-check: .venv/dev.stamp ## compare ten moments of play with their golden pictures
	PYTHONPATH=tests $(BIN)/python tests/golden/pictures.py

pictures-accept: .venv/dev.stamp ## take the golden pictures again (then look at the diff)
	PYTHONPATH=tests $(BIN)/python tests/golden/pictures.py --accept

golden: .venv/dev.stamp         ## rewrite the golden shoes, posters and evenings that tests compare with (then read the diff)
	PYTHONPATH=tests $(BIN)/python tests/golden/make.py
	PYTHONPATH=tests $(BIN)/python tests/golden/make_pages.py
	PYTHONPATH=tests $(BIN)/python tests/golden/make_evenings.py

docs: .venv/dev.stamp           ## regenerate the parts of the documentation that come from the code
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv build dist .coverage .*_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "baccarat needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { rm -rf .venv; echo "$(PYTHON) cannot create a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

.venv/play.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up (once) ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

.venv/serve.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up the server (once) ..."
	@$(PIP) install --constraint constraints.txt --editable '.[serve,poster]'
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up for development (once) ..."
	@$(PIP) install --constraint constraints.txt --upgrade 'pip>=25.1'
	@$(PIP) install --constraint constraints.txt --editable '.[all]' --group dev
	@command -v chromium-headless-shell >/dev/null || \
	  { test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qq install chromium chromium-headless-shell; } || \
	  command -v chromium >/dev/null || $(BIN)/python -m playwright install chromium || \
	  echo "No Chromium: browser tests will be skipped. On Debian: apt-get install chromium-headless-shell"
	@touch $@
