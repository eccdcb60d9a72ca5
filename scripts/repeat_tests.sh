#!/bin/sh
# Runs all tests again and again beside a busy build: what depends on the order of events fails here and not at somebody
# else's desk.
#
#   scripts/repeat_tests.sh [N] [arguments of cargo test ...]
#
#   scripts/repeat_tests.sh                                  20 times everything
#   scripts/repeat_tests.sh 50 -p unsite-acquire --test all crawl::
#
# Ends with 1 if any run failed, and says which.
set -u
cd "$(dirname "$0")/.." || exit 1
case "${1:-}" in
    '' | *[!0-9]*) runs=20 ;;
    *) runs=$1; shift ;;
esac
[ $# -gt 0 ] || set -- --workspace
cargo test --release "$@" --no-run || exit 1

scratch=$(mktemp -d)
# The busy build: the parser and what it is made of, from nothing, as long as the tests go on.
(
    trap 'exit 0' TERM
    while :; do
        rm -rf "$scratch/target"
        CARGO_TARGET_DIR="$scratch/target" cargo build --release -q -p unsite-dom >"$scratch/build" 2>&1 &
        wait $!
    done
) &
busy=$!
finish() {
    kill "$busy" 2>/dev/null
    wait "$busy" 2>/dev/null
    # The compiler of the last round writes until it is done.
    for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$scratch" 2>/dev/null && break; sleep 1; done
}
trap finish EXIT
trap 'exit 130' INT TERM

failed=0
run=1
while [ "$run" -le "$runs" ]; do
    if cargo test --release --no-fail-fast "$@" >"$scratch/log" 2>&1; then
        echo "run $run of $runs: good"
    else
        failed=$((failed + 1))
        echo "run $run of $runs: FAILED"
        grep -E '^test .* FAILED|panicked at|^error' "$scratch/log"
    fi
    run=$((run + 1))
done
echo "$failed of $runs runs failed"
[ "$failed" = 0 ]
