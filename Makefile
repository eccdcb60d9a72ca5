# The two commands are `make demo` and `make test`.
CARGO ?= cargo
# Labelled sites to measure on. They are not part of the repository; without them the gate is skipped and says so.
DATA ?= ../shared/data

.PHONY: demo test lint gate raise bench readme

## The whole job on the embedded sample site.
demo:
	$(CARGO) run --release -p unsite -- demo

## Everything that must hold before a change goes in.
test: lint
	$(CARGO) test --release --workspace
	$(MAKE) gate

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
	$(CARGO) bench -p unsite-dom -p unsite-discover
	$(CARGO) run --release -p unsite-acquire --example crawl_speed

## Writes the generated parts of README.md anew: the help text and the demo's output.
readme:
	UNSITE_UPDATE=1 $(CARGO) test --release -p unsite --test tidy readme -- --test-threads 1
