//! The measures agree with the independent scorer that reads the database from outside: its answers on random cases are
//! recorded in `outside_scorer.json`.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use unsite_learn::measures::Prf;
use unsite_learn::measures::fields::Columns;
use unsite_learn::measures::records::{PageRows, best_table};
use unsite_learn::measures::text_match::{norm, same};

type Recorded = (f64, f64, f64, Option<String>);

#[derive(Deserialize)]
struct Answers {
    norm: Vec<(String, String)>,
    same: Vec<(String, String, bool)>,
    fields: Vec<FieldCase>,
    records: Vec<RecordCase>,
}

#[derive(Deserialize)]
struct FieldCase {
    cells: Vec<(String, String, String)>,
    target: BTreeSet<(String, String)>,
    value: Recorded,
    page: Recorded,
}

#[derive(Deserialize)]
struct RecordCase {
    tables: Vec<(String, PageRows<String>)>,
    wanted: BTreeMap<String, Vec<Vec<String>>>,
    score: Recorded,
}

fn answers() -> Answers {
    serde_json::from_str(include_str!("../outside_scorer.json")).expect("the recorded answers are valid JSON")
}

fn agrees(got: Prf, want: &Recorded) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    near(got.precision, want.0) && near(got.recall, want.1) && near(got.f1, want.2)
}

#[test]
fn text_rules() {
    let answers = answers();
    for (text, want) in &answers.norm {
        assert_eq!(&norm(text), want, "{text:?}");
    }
    for (got, want, expected) in &answers.same {
        assert_eq!(same(got, want), *expected, "{got:?} for {want:?}");
    }
}

#[test]
fn field_scores() {
    for case in answers().fields {
        let columns = Columns::new(case.cells.iter().cloned());
        let value = columns.target_cluster(&case.target);
        assert!(agrees(value.prf, &case.value), "{value:?} is not {:?}", case.value);
        let column = value.column.map(|c| format!("t.{c}"));
        assert_eq!(column, case.value.3);
        let page = columns.page_protocol(&case.target);
        assert!(agrees(page.prf, &case.page), "{page:?} is not {:?}", case.page);
        assert_eq!(page.column.map(|c| format!("t.{c}")), case.page.3);
    }
}

#[test]
fn record_scores() {
    for case in answers().records {
        let found = best_table(&case.tables, &case.wanted);
        assert!(agrees(found.prf, &case.score), "{found:?} is not {:?}", case.score);
        assert_eq!(found.column, case.score.3);
    }
}
