//! Turns a web site back into the database behind it.
//!
//! ```
//! use unsite::acquire::Source;
//! use unsite::dom::RawPage;
//! use unsite::store::Output;
//! use unsite::{Options, run};
//!
//! let page = |n: usize| RawPage {
//!     url: format!("https://shop.test/tea/{n}"),
//!     reference: n.to_string(),
//!     bytes: format!("<h1>Tea {n}</h1><p>Price: <b>£{n}.50</b></p>").into_bytes(),
//!     ..RawPage::default()
//! };
//! let source = Source::memory((1..=20).map(page).collect());
//! let folder = tempfile::tempdir()?;
//! let output = Output::parse(folder.path().join("shop.db"))?;
//! let outcome = run(&source, &output, &Options::default(), &mut ())?;
//! assert_eq!(outcome.summary.pages, 20);
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! This crate is a façade: each stage is a crate of its own, and [`pipeline`] is the way through them. What a run
//! writes is described in [`store`].

mod datasette;
mod exit;
pub mod export;
pub mod harmless;
pub mod pipeline;

pub use datasette::{DATASETTE, write_datasette};
pub use exit::Exit;
pub use pipeline::{Options, Outcome, Progress, run};

pub use unsite_acquire as acquire;
pub use unsite_discover as discover;
pub use unsite_dom as dom;
pub use unsite_eval as eval;
pub use unsite_learn as learn;
pub use unsite_methods as methods;
pub use unsite_records as records;
pub use unsite_sample as sample;
pub use unsite_site as site;
pub use unsite_store as store;
pub use unsite_wrapper as wrapper;
