//! Scores of roles and answers on cases that are small enough to count by hand.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use unsite_eval::{GoldPage, Observed, ObservedPagelet, Scorer, Set};

fn gold(lines: &[&str]) -> Vec<GoldPage> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn articles_are_told_from_the_rest_where_labels_say_no_more() {
    let gold = gold(&[
        r#"{"file": "pages/1.html", "page_type": "article"}"#,
        r#"{"file": "pages/2.html", "page_type": "article"}"#,
        r#"{"file": "pages/3.html", "page_type": "non-article"}"#,
        r#"{"file": "pages/4.html", "page_type": "non-article"}"#,
    ]);
    let mut observed = Observed::default();
    for (file, role) in [("1", "article"), ("2", "index"), ("3", "other"), ("4", "index")] {
        observed.add_page(&format!("{file}.html"), None, Some(0.5));
        observed.set_role(role);
    }
    let score = Scorer::new(&gold, &observed).score(Set::Roles);
    assert_eq!((score[0].name.as_str(), score[0].prf.f1), ("accuracy", 0.75));
    assert_eq!(score[0].misses.len(), 1);
    // Other classes say nothing about roles.
    let other = self::gold(&[r#"{"file": "pages/1.html", "page_type": "question"}"#]);
    assert!(Scorer::new(&other, &observed).score(Set::Roles).is_empty());
}

#[test]
fn answers_without_labels_are_not_scored() {
    let lines = [
        r#"{"file": "pages/1.html", "role": "search", "page_type": "results", "records": [{"name": "oak"}, {"name": "ash"}]}"#,
        r#"{"file": "pages/2.html", "role": "search", "page_type": "results"}"#,
        r#"{"file": "pages/3.html", "role": "search", "page_type": "nothing"}"#,
    ];
    let pagelet = || ObservedPagelet {
        text: "oak ash".into(),
        parts: vec!["oak".into(), "ash".into()],
        objects: vec!["oak".into(), "ash".into()],
    };
    let found = |files: &[&str]| Observed {
        pagelets: Some(files.iter().map(|file| (file.to_string(), pagelet())).collect::<BTreeMap<_, _>>()),
        ..Observed::default()
    };
    let precision = |lines: &[&str], files: &[&str]| {
        Scorer::new(&gold(lines), &found(files)).score(Set::Pagelets)[0].prf.precision
    };
    // The second page has an answer that nobody wrote down; the third has none.
    assert_eq!(precision(&lines, &["1.html", "2.html"]), 1.0);
    assert_eq!(precision(&lines, &["1.html", "2.html", "3.html"]), 0.5);
    // Without a class for searches that found nothing, no record means that there is none.
    assert_eq!(precision(&lines[..2], &["1.html", "2.html"]), 0.5);
}
