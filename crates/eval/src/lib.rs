//! Gold sites, the measures of the papers on them, the gate.
//!
//! A gold site is a web site whose database is known. A method is run on its pages, what it found is an [`Observed`],
//! and a [`Set`] of measures compares the two. The numbers are those that the outside scorer reads off the SQLite
//! file. Nothing here knows how a method works: the caller passes it as a closure that sees the path and the
//! [`Meta`] of a site, never its labels.
//!
//! ```
//! use unsite_eval::{GoldSite, Observed, Scorer, Set};
//!
//! let gold = concat!(
//!     r#"{"file": "pages/0.html", "page_type": "book"}"#, "\n",
//!     r#"{"file": "pages/1.html", "page_type": "book"}"#, "\n",
//!     r#"{"file": "pages/2.html", "page_type": "list"}"#,
//! );
//! let site = GoldSite::from_parts("books.tar.zst", br#"{"name": "books", "suite": "demo"}"#, gold.as_bytes())?;
//! let mut found = Observed::default();
//! for (page, kind) in [("0.html", "a"), ("1.html", "a"), ("2.html", "b")] {
//!     found.add_page(page, Some(kind), None);
//! }
//! let scores = Scorer::new(&site.pages, &found).score(Set::Pages);
//! assert_eq!(scores[0].prf.f1, 1.0);
//! # Ok::<(), unsite_eval::EvalError>(())
//! ```
//!
//! [`evaluate`] measures methods on many sites, [`gate`](gate::gate) holds the results against committed floors.

mod complete;
mod error;
mod evaluate;
pub mod gate;
mod gold;
mod observed;
pub mod recovery;
mod report;
mod score;

pub use complete::{Completeness, PageTexts, Told, ToldValue};
pub use error::{EvalError, MethodError};
pub use evaluate::{evaluate, evaluate_site};
pub use gold::{Fold, GoldPage, GoldSite, Meta, Ordered, Text, gold_paths, leave_one_out};
pub use observed::{Observed, ObservedCell, ObservedPage, ObservedPagelet};
pub use report::{Detail, Mean, Report, SiteScore};
pub use score::{Effort, Miss, Scorer, Set, TargetScore, UnknownSet};
