//! Crawling a site into an archive.
//!
//! # What it does
//! Starts at an address and follows links, redirects, sitemaps and feeds within a [`Scope`], as robots.txt and the
//! pages allow. Every page goes into a WARC file; what was done is in a state file, so that a crawl can be killed at
//! any moment and go on later.
//!
//! # Assumes
//! That addresses with the same text are the same page, and that a site's own rules are meant.
//!
//! # When it fails
//! Nothing on a page is executed: what scripts build is not seen. Traps that write new words on every page end only
//! at the limits.

mod again;
mod compact;
mod desk;
mod engine;
mod finish;
mod hosts;
mod lists;
mod normal;
mod page;
mod place;
mod report;
mod robots;
mod scope;
mod settle;
mod shown;
mod state;
mod traps;
mod worker;

use thiserror::Error;
use url::Url;

pub use engine::{crawl, crawl_with_browser};
pub use lists::{Listed, read_list};
pub use normal::{is_other_file, normal};
pub use page::{ReadPage, is_plausible_canonical, read_page};
pub use place::{Layout, NoPlace, Place};
pub use report::{End, Event, Report, SavedPage, Status, Watch};
pub use robots::{LONGEST_ROBOTS, Robots};
pub use scope::{Pattern, Reach, Scope, registrable_domain};
pub use state::StateError;
pub use traps::{PATIENCE, Traps};

/// What is crawled and how far.
#[derive(Debug, Clone)]
pub struct CrawlOptions {
    /// Where it starts.
    pub start: Url,
    /// What belongs to the site.
    pub scope: Scope,
    /// Pages that are saved at most in this run.
    pub max_pages: Option<u64>,
    /// Links that are followed from the start at most.
    pub max_depth: Option<u32>,
    /// Whether sitemaps and feeds are read.
    pub lists: bool,
    /// Whether places that grow without end are left alone.
    pub traps: bool,
    /// Whether links are followed that ask not to be.
    pub ignore_nofollow: bool,
    /// What is done with an archive that is there already.
    pub mode: Mode,
}

/// What is done with an archive that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It must not be there.
    New,
    /// Goes on with it; begins it where there is none.
    Resume,
    /// Visits its pages again and keeps what has changed.
    ChangedOnly,
}

/// Why a crawl cannot begin. Everything later is part of its [`Report`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// Something is there already.
    #[error(
        "{0} is there already: --resume goes on with it, --changed-only visits its pages again, -o names another one"
    )]
    Exists(String),
    /// Nothing is there to be visited again.
    #[error(
        "{0} is not there, or not its .crawl file: --changed-only needs an archive that `unsite crawl` has written"
    )]
    NothingToRevisit(String),
    /// An archive without the file that knows what was done.
    #[error(
        "{archive} is there but {state} is not, so that nobody knows where to go on: name another archive with -o"
    )]
    NoState {
        /// The archive.
        archive: String,
        /// What is missing.
        state: String,
    },
    /// The archive belongs to another crawl.
    #[error("{archive} was crawled from {before}, not from {now}: name another archive with -o")]
    OtherStart {
        /// The archive.
        archive: String,
        /// Where that crawl started.
        before: String,
        /// Where this one should.
        now: String,
    },
    /// The archive is shorter than what was saved.
    #[error("{0}: it was changed by something else than a crawl")]
    Damaged(String),
    /// A file could not be made or read.
    #[error("cannot write {path}: {error}")]
    File {
        /// Which.
        path: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// The state could not be read or written.
    #[error(transparent)]
    State(#[from] StateError),
}
