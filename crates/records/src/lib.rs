//! Record linkage and deduplication by experts; knows records, not HTML.
//!
//! ```
//! use unsite_records::dedup::{DedupConfig, dedup};
//! use unsite_records::record::RecordSet;
//!
//! let mut records = RecordSet::new(vec!["name".into(), "city".into()]);
//! records.push("1", [Some("Ada Lovelace".into()), Some("London".into())]);
//! records.push("2", [Some("A. Lovelace".into()), Some("London".into())]);
//! let found = dedup(&records, &DedupConfig::default())?;
//! assert_eq!(found.clusters.len(), 2);
//! # Ok::<(), unsite_records::record::RecordsError>(())
//! ```
//!
//! # The flow
//! 1. [`record`]: the records; [`kinds`]: what their fields are; [`corpus`]: folded text and numbered words.
//! 2. [`blocking`]: which pairs are worth comparing.
//! 3. [`experts`]: how alike a pair is in one respect, one file each.
//! 4. [`model`]: what scores are worth: estimated from the records, learned from labels, or the [`defaults`].
//! 5. [`cluster`]: a partition that maximises summed log-odds.
//! 6. [`canonical`], [`review`], [`link`], [`align`]: what people do with it. [`evaluate`], [`cora`], [`dirty`]: how good it is.
//!
//! Everything is deterministic; the number of threads changes nothing but the time.

pub mod align;
pub mod blocking;
pub mod canonical;
pub mod cluster;
pub mod cora;
pub mod corpus;
pub mod dedup;
pub mod defaults;
pub mod dirty;
pub mod edit;
pub mod evaluate;
pub mod experts;
mod groups;
pub mod kinds;
pub mod link;
pub mod model;
pub mod record;
pub mod review;
pub mod text;
pub mod values;
