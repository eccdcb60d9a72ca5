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

#[cfg(feature = "crawl")]
pub mod archive;
#[cfg(feature = "browser")]
pub mod browser;
#[cfg(all(feature = "crawl", not(feature = "browser")))]
#[path = "absent_browser.rs"]
pub mod browser;
#[cfg(feature = "crawl")]
pub mod crawl;
#[cfg(feature = "crawl")]
pub mod fetch;
#[cfg(feature = "crawl")]
pub mod probe;
mod search_form;
mod sources;
pub mod warc;

pub use search_form::{search_forms, search_score};
pub use sources::{Collector, Source, SourceError, SourceKind, SourceOptions, layout_block, read_layout};
