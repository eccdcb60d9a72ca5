//! Where pages come from: folders, WARC, WACZ, JSON Lines, gold sites, standard input.
//!
//! ```
//! use unsite_acquire::{Source, SourceOptions};
//! use unsite_dom::RawPage;
//!
//! let page = RawPage { url: "http://shop.test/1".into(), bytes: b"<p>Tea".to_vec(), ..RawPage::default() };
//! let source = Source::memory(vec![page]);
//! let mut pages = source.pages()?;
//! while let Some(item) = pages.next_page() {
//!     match item {
//!         Ok(page) => assert_eq!(page.url, "http://shop.test/1"),
//!         Err(problem) => panic!("{problem}"),
//!     }
//! }
//! assert!(Source::open("no-such-folder", &SourceOptions::default()).is_err());
//! # Ok::<(), unsite_acquire::SourceError>(())
//! ```
//!
//! A source is read as a stream and can be read again; memory is bounded by one page, not by the site. What cannot
//! be read is a [`Problem`](unsite_dom::Problem) in that stream and costs the run nothing else.

pub mod archive;
pub mod browser;
pub mod crawl;
pub mod fetch;
pub mod probe;
mod search_form;
mod sources;
pub mod warc;

pub use search_form::{search_forms, search_score};
pub use sources::{Collector, Source, SourceError, SourceKind, SourceOptions, layout_block, read_layout};
