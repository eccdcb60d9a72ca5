//! The same pages give the same output in whatever order they come.

use crate::common::*;
use unsite_dom::ProblemKind;
use unsite_store::{Output, Sink};
use unsite_wrapper::PageRecord;

/// A fixed shuffle: every element swapped with one that a small generator names.
fn shuffled(pages: &[PageRecord], mut seed: u64) -> Vec<PageRecord> {
    let mut pages = pages.to_vec();
    for index in (1..pages.len()).rev() {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        pages.swap(index, (seed >> 33) as usize % (index + 1));
    }
    pages
}

/// Pages that share URL, reference or all of it, fingerprints on both sides of the sign bit, and equal problems.
fn awkward_pages() -> Vec<PageRecord> {
    let mut pages = bookshop_pages();
    for (number, fingerprint) in [(3, u64::MAX), (4, 1 << 63), (5, 0), (6, 0), (7, 0)] {
        pages.push(PageRecord { fingerprint, reference: "same".into(), url: book(1).url, ..book(number) });
    }
    pages.push(book(1));
    pages
}

#[test]
fn the_database_does_not_depend_on_the_order() {
    let (_folder, db) = database(&bookshop_schema(), &awkward_pages());
    let want = dump(&db);
    for seed in 1..6 {
        let (_folder, db) = database(&bookshop_schema(), &shuffled(&awkward_pages(), seed));
        assert!(dump(&db) == want, "order {seed} gives another database");
    }
}

#[test]
fn a_changed_value_changes_the_dump() {
    let (_folder, db) = database(&bookshop_schema(), &awkward_pages());
    let mut pages = awkward_pages();
    pages[0].rows[0].cells[0].value.push('!');
    let (_other, changed) = database(&bookshop_schema(), &pages);
    assert!(dump(&db) != dump(&changed));
}

#[test]
fn pages_are_numbered_by_url_reference_and_fingerprint() {
    let page = |url: &str, reference: &str, fingerprint| PageRecord {
        url: url.into(),
        reference: reference.into(),
        fingerprint,
        index_score: fingerprint as f64,
        ..Default::default()
    };
    let sorted =
        [page("a", "x", 9), page("a", "y", 1), page("a", "y", u64::MAX), page("b", "", 0), page("é", "a", 0)];
    for seed in 0..4 {
        let (_folder, db) = database(&bookshop_schema(), &shuffled(&sorted, seed));
        let got = ask(&db, "SELECT id, url, ref, index_score FROM _pages ORDER BY id");
        assert_eq!(got, ["1|a|x|9.0", "2|a|y|1.0", "3|a|y|1.8446744073709552e19", "4|b||0.0", "5|é|a|0.0"]);
    }
}

#[test]
fn problems_and_files_do_not_depend_on_the_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for seed in 1..3 {
        let parent = folder.path().join(seed.to_string());
        std::fs::create_dir(&parent).unwrap();
        let out = parent.join("out/");
        let mut sink = Sink::create(&Output::parse(&out).unwrap(), &bookshop_schema(), &meta()).unwrap();
        let mut problems: Vec<_> =
            (0..9).map(|n| problem(ProblemKind::Skipped, &format!("record {n}"), "an image")).collect();
        problems.rotate_left(seed as usize * 4);
        for (page, number) in shuffled(&awkward_pages(), seed).iter().zip(0..) {
            sink.page(page).unwrap();
            problems.get(number).into_iter().for_each(|p| sink.problem(p).unwrap());
        }
        sink.finish().unwrap();
        let files: Vec<(String, String)> =
            names(&out).into_iter().map(|n| (n.clone(), read(out.join(n)))).collect();
        outputs.push(files);
    }
    assert_eq!(outputs[0].len(), 3 + 7 + 2);
    assert!(outputs[0] == outputs[1]);
}
