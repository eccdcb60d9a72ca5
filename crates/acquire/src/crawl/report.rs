//! What a crawl tells while it goes on, and at its end.

use std::time::Duration;

use url::Url;

/// Told what is going on.
pub trait Watch {
    /// Something happened.
    fn event(&mut self, event: Event<'_>);
}

impl Watch for () {
    fn event(&mut self, _: Event<'_>) {}
}

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// A page is in the archive and on the disk: no crash loses it any more.
    Saved(&'a SavedPage),
    /// Something that people should know, once.
    Notice(&'a str),
    /// One address could not be had.
    Trouble(&'a Url, &'a str),
    /// How things stand; several times a second.
    Status(&'a Status),
}

/// A page in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedPage {
    /// Its address.
    pub url: Url,
    /// Its HTTP status.
    pub status: u16,
    /// Its title.
    pub title: String,
    /// Bytes of its record.
    pub bytes: u64,
    /// Whether it was in the archive before and has changed.
    pub changed: bool,
}

/// How things stand.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// Pages saved in this run.
    pub saved: u64,
    /// Addresses that wait.
    pub queued: u64,
    /// Requests answered in this run.
    pub answered: u64,
    /// Bytes received in this run, bodies as sent.
    pub bytes: u64,
    /// Requests that failed for good in this run.
    pub errors: u64,
    /// How long this run has taken.
    pub elapsed: Duration,
    /// What is being waited for, in words.
    pub waiting: String,
}

/// How a crawl ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to fetch.
    Done,
    /// As many pages as were asked for.
    PageLimit,
    /// It was asked to stop.
    Stopped,
    /// Hosts that cannot be reached any more, with the reason; their pages still wait.
    Unreachable(String),
    /// The disk, or what stands for it; what was saved is good.
    Disk(String),
}

impl Report {
    /// Whether pages are missing that the site has: another run gets them, or may.
    pub fn is_partial(&self) -> bool {
        self.end.is_partial() || self.failed + self.cut + self.trapped > 0
    }
}

impl End {
    /// Whether the crawl ended before it was over.
    pub fn is_partial(&self) -> bool {
        !matches!(self, End::Done | End::PageLimit)
    }
}

/// What came out of a crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How it ended.
    pub end: End,
    /// How things stood at the end.
    pub status: Status,
    /// Pages in the archive, of earlier runs too.
    pub pages: u64,
    /// Pages that show what another shows.
    pub duplicates: u64,
    /// Pages that name another address as their own.
    pub aliases: u64,
    /// Redirects.
    pub redirects: u64,
    /// Addresses that robots.txt forbids.
    pub forbidden: u64,
    /// Pages that ask not to be kept.
    pub no_index: u64,
    /// Addresses without a page: missing, or with another error that stays.
    pub missing: u64,
    /// Addresses that could not be fetched; another run tries again.
    pub failed: u64,
    /// Pages that were saved only as far as they came; another run tries again.
    pub cut: u64,
    /// Addresses outside of what this run wanted, found by an earlier one.
    pub excluded: u64,
    /// What is no page.
    pub other: u64,
    /// Addresses left alone because they are in a trap.
    pub trapped: u64,
    /// Pages of an earlier visit that are as they were.
    pub unchanged: u64,
    /// Pages of an earlier visit that are different now.
    pub changed: u64,
    /// Pages of an earlier visit that are gone; the archive still has them.
    pub gone: u64,
}
