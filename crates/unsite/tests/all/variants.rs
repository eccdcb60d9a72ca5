//! Generated sites come back whole. All 200 of the measure take minutes (`examples/variants.rs`); these are some that once
//! did not.

use unsite_sample::Knobs;

#[test]
fn a_block_whose_first_row_is_missing_keeps_its_other_rows() {
    // Tables of facts without names: on some pages the first label is missing, and the second begins the table.
    for seed in [172, 189] {
        let tables = crate::variant::read(&Knobs::random(seed));
        let (cells, found) = crate::variant::totals(&tables);
        assert_eq!(found, cells, "seed {seed}: {tables:?}");
        assert!(tables.iter().all(|table| table.is_exact()), "seed {seed}: {tables:?}");
    }
}
