//! Two sources about the same things.

use crate::dedup::{Dedup, DedupConfig, dedup, log_odds_of};
use crate::kinds::FieldKind;
use crate::record::{RecordIndex, RecordSet, RecordsError};

/// One found link.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The record of the first source.
    pub a: RecordIndex,
    /// The record of the second source, counted from 0 there.
    pub b: RecordIndex,
    /// Log-odds of the pair by itself.
    pub log_odds: f32,
}

impl Link {
    /// How probable the link is, by its two records alone.
    pub fn probability(&self) -> f32 {
        1.0 / (1.0 + (-self.log_odds).exp())
    }
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
/// Puts both sources into one set (fields are matched by name; those of one source only take no part), compares only across
/// the border, and clusters so that a cluster has no more records of each source than [`DedupConfig::pairing`] allows.
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
    let shared = |field: &String| first.fields().contains(field) && second.fields().contains(field);
    let lone = records.fields().iter().filter(|field| !shared(field));
    let schema = config.schema.get_or_insert_default();
    schema.kinds.extend(lone.map(|field| (field.clone(), FieldKind::Ignored)));
    config.blocking.second_source = Some(border);
    let found = dedup(&records, &config)?;
    let mut of_first: Vec<Vec<RecordIndex>> = vec![Vec::new(); found.count];
    for record in 0..border {
        of_first[found.clusters[record as usize] as usize].push(record);
    }
    let mut pairs: Vec<(RecordIndex, RecordIndex)> = Vec::new();
    for record in border..records.len() as RecordIndex {
        let cluster = found.clusters[record as usize] as usize;
        pairs.extend(of_first[cluster].iter().map(|&a| (a, record)));
    }
    pairs.sort_unstable();
    let odds = log_odds_of(&records, &config, &found.model, &pairs);
    let links = pairs.iter().zip(odds).map(|(&(a, b), log_odds)| Link { a, b: b - border, log_odds });
    Ok(Linked { links: links.collect(), found, records })
}
