# The two commands are `make demo` and `make test`.
CARGO ?= cargo
# Labelled sites to measure on. They are not part of the repository; without them the gate is skipped and says so.
DATA ?= ../shared/data

# Where cargo builds; the Python of the tests stands there too.
TARGET := $(or $(CARGO_TARGET_DIR),target)
# What tests need to start a server of their own: Debian keeps it out of the search path.
SERVER := $(wildcard /usr/lib/postgresql/*/bin/initdb)

.PHONY: demo test tools browser studio python wheel bench-python lint gate raise bench readme fuzz

## The whole job on the embedded sample site.
demo:
	$(CARGO) run --release -p unsite -- demo

## Everything that must hold before a change goes in.
test: tools browser studio lint
	$(CARGO) test --release --workspace --exclude unsite-python --lib --bins --tests
	$(CARGO) test --release --workspace --exclude unsite-python --doc
	$(MAKE) python
	$(MAKE) gate

## What some tests use where it can be had: a PostgreSQL server, and Python with parsel, Scrapy, html5lib, pyarrow and Datasette. Without,
## those tests say that they were skipped.
tools: $(TARGET)/python/.ready
	@test -n "$(SERVER)" || command -v initdb >/dev/null \
		|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
			&& { install="env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql"; \
				$$install >/dev/null 2>&1 || { apt-get update && $$install; } >/dev/null 2>&1; }; } \
		|| echo "no PostgreSQL server here: its tests will be skipped"

$(TARGET)/python/.ready:
	@mkdir -p $(TARGET)/python
	@{ python3 -m venv $(TARGET)/python \
		&& $(TARGET)/python/bin/pip install -q --disable-pip-version-check --only-binary :all: parsel scrapy pyarrow html5lib datasette \
		&& touch $@; } >/dev/null 2>&1 \
		|| echo "no Python with parsel, Scrapy, html5lib, pyarrow and Datasette: their tests will be skipped"

## The Python package, built and installed into the environment of the tests, and its tests. Without Python nothing of it is
## done, and without Java the tests of Spark are skipped; both say so. UNSITE_SLOW=1 makes those tests longer that may be.
python: wheel
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& { install="env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends default-jre-headless"; \
			$$install >/dev/null 2>&1 || { apt-get update && $$install; } >/dev/null 2>&1; }; } \
		|| echo "no Java here: the tests of Spark will be skipped"
	@test ! -e $(TARGET)/python/.bindings || { $(CARGO) build --release -p unsite \
		&& cd bindings/python && UNSITE_PROGRAM=$(abspath $(TARGET)/release/unsite) $(VENV)/pytest -q; }

wheel: $(TARGET)/python/.bindings
	@test ! -e $< || { rm -rf $(TARGET)/wheels \
		&& $(VENV)/maturin build -q --release -m bindings/python/Cargo.toml -i $(VENV)/python -o $(TARGET)/wheels \
		&& $(VENV)/pip install -q --disable-pip-version-check --force-reinstall --no-deps $(TARGET)/wheels/*.whl; }

# Where the programs of that environment are.
VENV = $(abspath $(TARGET)/python/bin)
# What the package is tested with. PySpark does not take pandas 3 yet.
TESTED := maturin pytest mypy pyarrow polars 'pandas<3' duckdb scikit-learn scrapy pyspark 'dask[dataframe]' 'ray[data]'

$(TARGET)/python/.bindings: $(TARGET)/python/.ready
	@{ test -e $< && $(VENV)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		&& $(VENV)/pip install -q --disable-pip-version-check --prefer-binary $(TESTED) && touch $@; } \
		>/dev/null 2>&1 || true
	@test -e $@ || echo "no Python 3.11 with maturin and what the package is tested with: the tests of the Python package are skipped"

## What the package costs beside the command line, and whether both say the same of whole sites. SITES are those of DATA/live.
SITES = $(wildcard $(DATA)/live/*.tar.zst)
bench-python: wheel
	$(CARGO) build --release -p unsite
	$(VENV)/python bindings/python/benches/speed.py $(firstword $(SITES))
	$(VENV)/python bindings/python/benches/spark.py $(addprefix --site ,$(firstword $(SITES)))
	$(if $(SITES),$(VENV)/python bindings/python/benches/equal.py --spark $(SITES),@echo "no labelled sites here: nothing to compare")

## Chromium for the tests of --browser, installed where that is possible without asking; they are skipped without it.
browser:
	@for name in chromium chromium-browser google-chrome-stable google-chrome; do \
	  command -v $$name >/dev/null 2>&1 && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing chromium for the tests of --browser"; \
	  install="apt-get install -y --no-install-recommends chromium"; \
	  $$install >/dev/null 2>&1 || { apt-get update && $$install; } >/dev/null 2>&1 || \
	  echo "chromium cannot be installed: the tests of --browser will be skipped"; \
	else \
	  echo "there is no chromium (apt-get install chromium): the tests of --browser will be skipped"; \
	fi

## What the journeys through the studio need: playwright-core and axe-core. Without npm those tests say that they were skipped.
studio: $(TARGET)/studio/.ready

$(TARGET)/studio/.ready:
	@mkdir -p $(TARGET)/studio
	@{ cd $(TARGET)/studio && npm init -y && npm install --no-audit --no-fund --ignore-scripts playwright-core@1.65.1 axe-core@4.14.0 \
		&& touch .ready; } >/dev/null 2>&1 \
		|| echo "no playwright-core and axe-core here (npm): the journeys through the studio will be skipped"

lint:
	$(CARGO) fmt --all -- --check
	PYO3_NO_PYTHON=1 $(CARGO) clippy --release --workspace --all-targets -- -D warnings

## The measures on labelled sites against the committed floors.
gate:
	$(CARGO) run --release -p unsite -- gate --data $(DATA)

## Raises the floors to what is measured now.
raise:
	$(CARGO) run --release -p unsite -- gate --data $(DATA) --raise

bench:
	$(CARGO) bench -p unsite-dom -p unsite-discover -p unsite-methods
	$(CARGO) run --release -p unsite-acquire --example crawl_speed

## Random input for everything that reads what strangers wrote, SECONDS for each of TARGETS; what is found is left in
## fuzz/artifacts. Needs `cargo install cargo-fuzz`. The compiler is the one of the project: cargo-fuzz wants options that
## are not stable, which the variable lets through.
SECONDS ?= 60
TARGETS ?= pages warc wacz json_lines tar wrapper edits robots sitemap
fuzz:
	@command -v cargo-fuzz >/dev/null || { echo "no cargo-fuzz here: cargo install cargo-fuzz"; exit 1; }
	@for target in $(TARGETS); do \
	  mkdir -p fuzz/grown/$$target && \
	  RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run $$target fuzz/grown/$$target fuzz/corpus/$$target -- \
	    -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=3000 -max_len=65536 -print_final_stats=1 || exit 1; \
	done

## Writes the generated parts of README.md anew: the help text and the demo's output.
readme:
	UNSITE_UPDATE=1 $(CARGO) test --release -p unsite --test tidy readme -- --test-threads 1
