//! Records whose bodies wait to be decoded, together and on all cores.

use rayon::prelude::*;
use unsite_dom::{Problem, RawPage};

use super::fields::Fields;
use super::rendered::{Held, LAYOUT_TYPE};
use super::revisits::{Names, Revisits};
use super::{Content, Place, bare, essence, read_content};
use crate::sources::skipped::Skipped;

/// Records that are decoded together. Each may grow to the limit of a page, so that there are few.
const BATCH: usize = 16;

/// Their bytes together.
const BATCH_BYTES: usize = 8 << 20;

/// Bytes of a record that may wait; larger ones are decoded while they are read.
pub(super) const LARGEST: usize = 4 << 20;

/// What was read, in the order of the file.
#[derive(Default)]
pub(super) struct Waiting {
    records: Vec<Record>,
    bytes: usize,
}

#[allow(clippy::large_enum_variant, reason = "one at a time, and nearly all are pages")]
enum Record {
    Raw(Fields, Place, Vec<u8>),
    Content(Fields, Place, Content),
    Revisit(Fields, Place),
    Problem(Problem),
}

/// What a record that waited turned out to be.
#[allow(clippy::large_enum_variant, reason = "few at a time, and nearly all are pages")]
pub(super) enum Decoded {
    Content(Fields, Place, Content),
    Revisit(Fields, Place),
    Problem(Problem),
}

impl Waiting {
    pub(super) fn raw(&mut self, fields: Fields, place: Place, bytes: Vec<u8>) {
        self.bytes += bytes.len();
        self.records.push(Record::Raw(fields, place, bytes));
    }

    pub(super) fn content(&mut self, fields: Fields, place: Place, content: Content) {
        self.records.push(Record::Content(fields, place, content));
    }

    pub(super) fn revisit(&mut self, fields: Fields, place: Place) {
        self.records.push(Record::Revisit(fields, place));
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.records.push(Record::Problem(problem));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.records.len() >= BATCH || self.bytes >= BATCH_BYTES
    }

    /// Decodes what waits, in its order.
    pub(super) fn decoded(&mut self, limit: usize) -> impl Iterator<Item = Decoded> + use<> {
        self.bytes = 0;
        let decode = |record: Record| match record {
            Record::Raw(fields, place, bytes) => {
                let content = read_content(&fields, bytes.as_slice(), &place, limit);
                Decoded::Content(fields, place, content)
            }
            Record::Content(fields, place, content) => Decoded::Content(fields, place, content),
            Record::Revisit(fields, place) => Decoded::Revisit(fields, place),
            Record::Problem(problem) => Decoded::Problem(problem),
        };
        let decoded: Vec<Decoded> = std::mem::take(&mut self.records).into_par_iter().map(decode).collect();
        decoded.into_iter()
    }
}

impl Decoded {
    /// The page, and what its record is called.
    pub(super) fn page(self) -> Option<(Names, RawPage)> {
        match self {
            Decoded::Content(fields, place, Content::Page(page, _)) => {
                Some((Names::of(&fields, &place), page))
            }
            _ => None,
        }
    }

    /// Hands it over to whom it concerns.
    pub(super) fn hand_over(self, held: &mut Held, skipped: &mut Skipped, revisits: &mut Revisits) {
        let (fields, place, content) = match self {
            Decoded::Content(fields, place, content) => (fields, place, content),
            Decoded::Revisit(fields, place) => return revisits.note(&fields, &place),
            Decoded::Problem(problem) => return held.problem(problem),
        };
        if let Content::Page(page, _) = &content {
            revisits.saw(page);
        }
        let refers_to = fields.get("warc-refers-to").map(bare).unwrap_or_default();
        match content {
            Content::Page(page, problem) if fields.get("warc-type") == Some("conversion") => {
                held.conversion(&refers_to, page, problem);
            }
            Content::Page(page, problem) => held.page(page, problem),
            Content::Layout(layout) => {
                if !held.layout(&refers_to, layout) {
                    skipped.count("descriptions");
                }
            }
            Content::Skipped(reason) => skipped.count(reason),
            Content::Unreadable(trouble) => held.problem(place.problem(trouble)),
        }
    }
}

/// Whether a record may hold something of a page; nothing is read of the others.
pub(super) fn has_page(fields: &Fields) -> bool {
    match fields.get("warc-type").unwrap_or_default().to_ascii_lowercase().as_str() {
        "response" | "resource" | "conversion" => true,
        "metadata" => fields.get("content-type").is_some_and(|kind| essence(kind) == LAYOUT_TYPE),
        _ => false,
    }
}
