//! Two sources about the same things.

use crate::dedup::{Dedup, DedupConfig, dedup};
use crate::record::{RecordIndex, RecordSet, RecordsError};

/// One found link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The record of the first source.
    pub a: RecordIndex,
    /// The record of the second source, counted from 0 there.
    pub b: RecordIndex,
}

/// What linking found.
#[derive(Debug, Clone)]
pub struct Linked {
    /// Pairs across the sources that are one thing, in order of the first source.
    pub links: Vec<Link>,
    /// Everything else; clusters and doubtful pairs count the second source's records after the first's.
    pub found: Dedup,
    /// Both sources in one set.
    pub records: RecordSet,
}

/// Links the records of two sources.
///
/// # What it does
/// Puts both sources into one set (fields are matched by name), compares only across the border, and clusters so that a
/// cluster has at most one record of each source, unless [`DedupConfig::one_to_one`] is off.
/// # Assumes
/// Fields that mean the same are called the same in both.
/// # When it fails
/// Sources with duplicates inside: deduplicate them first or allow many to many.
/// # Paper
/// Fellegi and Sunter 1969.
pub fn link(first: &RecordSet, second: &RecordSet, config: &DedupConfig) -> Result<Linked, RecordsError> {
    let mut records = first.clone();
    let border = records.append(second);
    let mut config = config.clone();
    config.blocking.second_source = Some(border);
    let found = dedup(&records, &config)?;
    let mut of_first: Vec<Vec<RecordIndex>> = vec![Vec::new(); found.count];
    for record in 0..border {
        of_first[found.clusters[record as usize] as usize].push(record);
    }
    let mut links: Vec<Link> = Vec::new();
    for record in border..records.len() as RecordIndex {
        let cluster = found.clusters[record as usize] as usize;
        links.extend(of_first[cluster].iter().map(|&a| Link { a, b: record - border }));
    }
    links.sort_by_key(|l| (l.a, l.b));
    Ok(Linked { links, found, records })
}
