//! The inverse problem: known tables through templates to a web site, with its gold.
//!
//! ```
//! use unsite_sample::{Family, Knobs, Language, Site};
//!
//! let site = Site::generate(&Knobs { family: Family::Semantic, language: Language::De, ..Knobs::default() });
//! assert_eq!(site.pages.len(), site.gold.len());
//! assert!(site.table("books").is_some_and(|books| books.rows.len() == 90));
//! ```
//!
//! # What it does
//! Draws the tables of a bookshop from word lists ([`Knobs`] say how many rows, in which language and with how
//! many holes), lays them out as pages ([`Site::pages`]) through one of several template families
//! ([`Family`]), and keeps what the templates were given as labels ([`Site::gold`], [`Site::tables`]).
//! Pure and deterministic: no files, no clock, no entropy.
//!
//! # The flow
//! `words` -> `model` (typed tables) -> `pages` (what each page shows, as text: `view`) -> `templates` (markup)
//! and `gold`, `tables` (labels). Templates and labels read the same view, so they cannot disagree about a
//! value.
//!
//! # Adding a family
//! Write `templates/yours.rs` with an implementation of the `Template` trait, and add one line to the list of
//! families in `templates/mod.rs`. The tests run over all families and check the new one.

mod gold;
mod html;
mod knobs;
mod model;
mod news;
mod pages;
mod prose;
mod rng;
mod site;
mod slug;
mod tables;
mod templates;
mod urls;
mod view;
mod words;

pub use gold::{GoldPage, GoldTable};
pub use knobs::{Change, Knobs};
pub use news::{NewsArticle, news_site};
pub use site::{SamplePage, Site};
pub use templates::Family;
pub use urls::ORIGIN;
pub use words::Language;
