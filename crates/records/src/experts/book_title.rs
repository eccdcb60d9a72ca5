//! The title of the book, when there is no other title.

use super::{Expert, ExpertSet, Judge, nearly};
use crate::edit::similarity;
use crate::record::RecordIndex;

/// # What it does
/// When neither citation has a title: edit similarity of the book titles (or venues). When one has none: its book title
/// against the other's title. No opinion when both have titles.
/// # Assumes
/// A citation without a title cites the book.
/// # When it fails
/// Proceedings with many papers, cited without their titles.
/// # Paper
/// Gazen 2008, citation experts: book title.
pub(super) const EXPERT: Expert = Expert {
    name: "book_title",
    about: "book titles, when a citation has no title",
    set: ExpertSet::Citation,
    cost: 1,
    judges: |corpus| {
        let Some(title) = corpus.column_named(&["title"]) else { return Vec::new() };
        let Some(book) = corpus.column_named(&["booktitle", "book", "venue"]) else { return Vec::new() };
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let (titles, books) = (&corpus.columns[title], &corpus.columns[book]);
            match (titles.text(a), titles.text(b)) {
                (Some(_), Some(_)) => None,
                (None, None) => Some(nearly(similarity(books.text(a)?, books.text(b)?))),
                (Some(title), None) => Some(nearly(similarity(title, books.text(b)?))),
                (None, Some(title)) => Some(nearly(similarity(books.text(a)?, title))),
            }
        };
        vec![Judge { expert: "book_title", on: "booktitle".to_owned(), compare: Box::new(compare) }]
    },
};
