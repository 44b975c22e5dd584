# Each target makes the environment that it needs.
.PHONY: run test lint bench toolchain screenshots traces

VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501

run: toolchain
	$(BIN)/streamlit run app.py --server.port $(PORT)

# Two files at a time: most of a test is one compile, which keeps one core busy.
test: $(VENV)/dev toolchain
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev toolchain
	$(BIN)/python -m benchmarks

# Pictures of the real dashboard for the README.
screenshots: $(VENV)/dev toolchain
	$(BIN)/python -m tests.screenshots docs/images

# Without a network the dashboard still starts, with its recorded traces.
toolchain: $(VENV)/ready
	@$(BIN)/python -m core toolchain install || [ $$? -eq 3 ]

$(VENV)/python:
	@for candidate in python3 python3.12 python3.11; do \
	  if $$candidate -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2>/dev/null; then \
	    $$candidate -m venv $(VENV) && touch $@ && exit 0; \
	  fi; \
	done; \
	echo "Tilescope needs Python 3.11 or 3.12 with its venv module (on Debian: apt install python3-venv)."; exit 1

$(VENV)/ready: requirements.txt | $(VENV)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev: requirements-dev.txt $(VENV)/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# The recorded traces of data/traces, made again by the compiler.
traces: $(VENV)/dev toolchain
	$(BIN)/python -m tests.record_traces data/traces
