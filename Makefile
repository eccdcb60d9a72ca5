# The two commands are `make demo` and `make test`.
CARGO ?= cargo
# Labelled sites to measure on. They are not part of the repository; without them the gate is skipped and says so.
DATA ?= ../shared/data

# Where cargo builds; the Python of the tests stands there too.
TARGET := $(or $(CARGO_TARGET_DIR),target)
# What tests need to start a server of their own: Debian keeps it out of the search path.
SERVER := $(wildcard /usr/lib/postgresql/*/bin/initdb)

.PHONY: demo test tools browser studio lint gate raise bench readme fuzz

## The whole job on the embedded sample site.
demo:
	$(CARGO) run --release -p unsite -- demo

## Everything that must hold before a change goes in.
test: tools browser studio lint
	$(CARGO) test --release --workspace --lib --bins --tests
	$(CARGO) test --release --workspace --doc
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
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

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
TARGETS ?= pages warc wacz json_lines tar wrapper robots sitemap
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
