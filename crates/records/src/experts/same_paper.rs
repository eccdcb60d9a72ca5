//! What another clustering of the same records says: papers for venues.

use super::Judge;
use crate::record::RecordIndex;

/// The name of this expert in models and reports.
pub(crate) const SAME_PAPER: &str = "same_paper";

/// # What it does
/// 1 when another clustering puts both records together, 0 when it keeps them apart. Used by `--joint`: a paper appears at
/// one venue, so citations of one paper name one venue however they spell it.
/// # Assumes
/// A clustering of the same records by a related identity.
/// # When it fails
/// Papers published twice.
/// # Paper
/// Gazen 2008, future work; Culotta and McCallum 2005 for papers and venues together.
#[derive(Debug, Clone)]
pub struct SamePaper {
    /// The cluster of each record in the other clustering.
    pub clusters: Vec<u32>,
}

impl SamePaper {
    /// The judge that reads the other clustering.
    pub fn judge(&self) -> Judge<'_> {
        let clusters = &self.clusters;
        Judge {
            expert: SAME_PAPER,
            on: "papers".to_owned(),
            compare: Box::new(move |a: RecordIndex, b: RecordIndex| {
                let same = clusters.get(a as usize)? == clusters.get(b as usize)?;
                Some(if same { 1.0 } else { 0.0 })
            }),
        }
    }
}
