//! Archives of what was fetched: WARC files, the folder that Browsertrix writes, and WACZ.

mod record;
mod writer;

pub use record::{Record, RecordKind, new_id};
pub(crate) use record::{date_text, digest_text, sha256};
pub use writer::{ArchiveWriter, PackedExchange, Written};
