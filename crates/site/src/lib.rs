//! The façade for programs: learn a site, read its pages, notice when it has changed.
//!
//! ```
//! use unsite_site::{Page, Settings, Site};
//!
//! let page = |n: usize| {
//!     Page::new(
//!         format!("https://shop.test/tea/{n}"),
//!         format!("<h1>Tea {n}</h1><p>Price: <b>£{n}.50</b></p>"),
//!     )
//! };
//! let site = Site::learn((1..=20).map(page), &Settings::default())?;
//! let reader = site.wrapper().reader();
//! let record = reader.read(&page(33));
//! let table = record.page_type().unwrap_or_default();
//! assert_eq!(record.values().find(|value| value.text == "£33.50").map(|value| value.table), Some(table));
//! # Ok::<(), unsite_site::NoPages>(())
//! ```
//!
//! It needs neither files nor a network, a database or a command line. Sources of pages are in `unsite-acquire`, outputs in
//! `unsite-store`, Arrow in `unsite-columns`; everything together, with the command line, is `unsite`.

mod learn;
mod reader;
mod record;
mod repair;
mod sample;
mod watch;
mod wrapper;

pub use learn::{
    DEFAULT_SAMPLE, DEFAULT_SEED, NoPages, Page, Settings, Site, learn_sample, learning_limits, provenance,
    seen,
};
pub use reader::{Look, Reader};
pub use record::{FoundValue, Record};
pub use repair::repair_site;
pub use sample::{
    Bounds, Key, LEARNED_NODES, NotMergeable, SAMPLE_BYTES, SAMPLE_NODES, Sample, SampleState, nodes,
};
pub use unsite_wrapper::drift::Finding;
pub use unsite_wrapper::edits;
pub use unsite_wrapper::{SavedError, SavedWrapper};
pub use watch::{Checked, Watch};
pub use wrapper::{Refused, Wrapper};
