"""Duplicates among people by splink, on the records that `evaluate -- scale` is measured on.

    cargo run --release -p unsite-records --example evaluate -- people 100000 > people.csv
    python3 -m venv peers && peers/bin/pip install splink
    peers/bin/python scripts/peer_dedup.py people.csv

Prints pairwise F1 at the best of several thresholds (picked on the truth, in splink's favour), processor seconds and memory.
The model is the one of splink's own guide for people: Jaro-Winkler on names, Levenshtein on the rest, blocking on surname with
city, date of birth, postcode and telephone number; trained without labels.
"""

import csv
import resource
import sys
import time
from collections import Counter

import duckdb
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

FIELDS = ["given_name", "surname", "street", "city", "postcode", "phone", "born"]
THRESHOLDS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]


def pairs(counts):
    return sum(n * (n - 1) // 2 for n in counts.values())


def busy():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    connection = duckdb.connect()
    blank = ", ".join(f"nullif(lower({name}), '') AS {name}" for name in FIELDS)
    connection.execute(
        f"CREATE TABLE people AS SELECT unique_id, {blank} FROM read_csv('{sys.argv[1]}', all_varchar = true)"
    )
    with open(sys.argv[1], newline="", encoding="utf-8") as lines:
        truth = {row["unique_id"]: row["person"] for row in csv.DictReader(lines)}
    start, clock = busy(), time.time()
    rules = [block_on("surname", "city"), block_on("born"), block_on("postcode"), block_on("phone")]
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            cl.JaroWinklerAtThresholds("given_name"),
            cl.JaroWinklerAtThresholds("surname"),
            cl.LevenshteinAtThresholds("street", [1, 3]),
            cl.LevenshteinAtThresholds("city", [1, 2]),
            cl.LevenshteinAtThresholds("postcode", [1, 2]),
            cl.LevenshteinAtThresholds("phone", [1, 2]),
            cl.LevenshteinAtThresholds("born", [1, 2]),
        ],
        blocking_rules_to_generate_predictions=rules,
    )
    linker = Linker(DuckDBAPI(connection).register("people"), settings)
    linker.training.estimate_probability_two_random_records_match([block_on("born", "surname")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("born"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("surname", "given_name"))
    scored = linker.inference.predict(threshold_match_probability=THRESHOLDS[0])
    best = (0.0, None)
    for threshold in THRESHOLDS:
        clustered = linker.clustering.cluster_pairwise_predictions_at_threshold(scored, threshold)
        if threshold == THRESHOLDS[0]:
            # One clustering counts for the time: the others only look for the best threshold.
            used, seconds = busy() - start, time.time() - clock
        found = {str(row["unique_id"]): row["cluster_id"] for row in clustered.as_record_list()}
        both = Counter((found[name], truth[name]) for name in truth)
        together = pairs(both)
        precision = together / max(pairs(Counter(found[name] for name in truth)), 1)
        recall = together / max(pairs(Counter(truth.values())), 1)
        best = max(best, (2 * precision * recall / max(precision + recall, 1e-9), threshold))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"splink: {len(truth)} records, F1 {best[0]:.4f} at {best[1]}, {seconds:.1f} s, "
        f"{used:.1f} CPU seconds, {used * 1e6 / len(truth):.0f} CPU microseconds a record, {memory} kB"
    )


main()
