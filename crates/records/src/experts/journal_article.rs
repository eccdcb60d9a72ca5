//! Journal, volume and page together.

use super::{Expert, ExpertSet, Judge};
use crate::record::RecordIndex;

/// Edit similarity from which two journal names are one; they differ by points and plurals.
const SAME_JOURNAL: f32 = 0.8;

/// # What it does
/// Journal, volume and page match 1; journal and volume 0.67; journal 0.33; else 0. Volume and page are reduced to their
/// first digits. No opinion when a journal is missing.
/// # Assumes
/// A field called `journal` or `venue`, one with `vol` in its name, one with `page`.
/// # When it fails
/// Volumes in Roman numerals.
/// # Paper
/// Gazen 2008, citation experts: journal article.
pub(super) const EXPERT: Expert = Expert {
    name: "journal_article",
    about: "journal, then volume, then page",
    set: ExpertSet::Citation,
    cost: 3,
    judges: |corpus| {
        let Some(journal) = corpus.column_named(&["journal", "venue"]) else { return Vec::new() };
        let find =
            |part: &str| corpus.columns.iter().position(|c| c.name.to_ascii_lowercase().contains(part));
        let (volume, page) = (find("vol"), find("page"));
        if volume.is_none() && page.is_none() {
            return Vec::new();
        }
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let names = &corpus.columns[journal];
            if crate::edit::similarity(names.text(a)?, names.text(b)?) < SAME_JOURNAL {
                return Some(0.0);
            }
            let number = |column: Option<usize>, r: RecordIndex| digits(corpus.columns[column?].text(r)?);
            let same = |column: Option<usize>| {
                let (x, y) = (number(column, a), number(column, b));
                x.is_some() && x == y
            };
            Some(match (same(volume), same(page)) {
                (true, true) => 1.0,
                (true, false) => 0.67,
                _ => 0.33,
            })
        };
        vec![Judge { expert: "journal_article", on: "journal".to_owned(), compare: Box::new(compare) }]
    },
};

fn digits(folded: &str) -> Option<&str> {
    let start = folded.find(|c: char| c.is_ascii_digit())?;
    let rest = &folded[start..];
    Some(&rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())])
}
