//! The database: pages are staged as they come, then written out in canonical order, and put to what was there.

mod codec;
mod history;
mod links;
mod merge;
mod merge_receipts;
mod natural_keys;
mod paths;
mod receipts;
mod sample;
mod schema;
mod search_index;
mod stage;
mod there;
mod widen;
mod write;
mod write_receipts;

pub(crate) use codec::StagedRow;
pub(crate) use merge::{load_known, merge};
pub(crate) use sample::summarise;
pub(crate) use schema::{CELLS_VIEW, FORMAT, create_tables, table_sql};
pub(crate) use search_index::SEARCH;
pub(crate) use stage::Stage;
pub(crate) use there::{Merging, dangling, hold, is_there, version};
pub(crate) use write::{stored_text, write_all};
