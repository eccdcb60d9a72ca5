//! The archive and its state together: opened, written and committed in the order that loses nothing.

use std::io;
use std::time::{Duration, Instant};

use super::compact::{self, LENGTH};
use super::place::Place;
use super::report::SavedPage;
use super::state::State;
use super::{CrawlError, CrawlOptions, Mode};
use crate::archive::{ArchiveWriter, PackedExchange, Written};

/// Pages are made safe together when they come quickly: the disk is waited for at most this often.
const COMMIT_EVERY: Duration = Duration::from_millis(50);

/// Archive and state.
pub(super) struct Desk {
    pub(super) state: State,
    archive: ArchiveWriter,
    /// Written and not yet safe.
    unsafe_pages: Vec<SavedPage>,
    dirty: bool,
    committed: Instant,
}

/// The keys of the state's `meta`.
const START: &str = "start";
const PASS: &str = "pass";

impl Desk {
    /// Opens what is there, or begins it.
    pub(super) fn open(
        place: &Place,
        options: &CrawlOptions,
        about: &[(&str, &str)],
    ) -> Result<Desk, CrawlError> {
        let name = place.path().display().to_string();
        let (warc, state_path) = (place.warc(), place.state());
        let there = place.path().exists() && !(place.path().is_dir() && is_empty(place)) || warc.exists();
        match options.mode {
            Mode::New if there || state_path.exists() => return Err(CrawlError::Exists(name)),
            Mode::ChangedOnly if !there || !state_path.exists() => {
                return Err(CrawlError::NothingToRevisit(name));
            }
            Mode::Resume if warc.exists() && !state_path.exists() => {
                return Err(CrawlError::NoState { archive: name, state: state_path.display().to_string() });
            }
            _ => {}
        }
        let file = |error| CrawlError::File { path: warc.display().to_string(), error };
        place.prepare().map_err(file)?;
        let mut state = State::open(&state_path)?;
        let start = options.start.as_str();
        match state.get(START)? {
            Some(before) if before != start => {
                return Err(CrawlError::OtherStart { archive: name, before, now: start.to_owned() });
            }
            Some(_) => {
                place.reopen().map_err(file)?;
                compact::settle(&warc, &mut state).map_err(file)?;
            }
            None => {}
        }
        let length = state.get(LENGTH)?.and_then(|length| length.parse().ok());
        let archive = match length {
            Some(length) => ArchiveWriter::resume(&warc, length).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => CrawlError::Damaged(error.to_string()),
                _ => file(error),
            })?,
            None => {
                // Begun and killed before the first commit: nothing was reported from it.
                if warc.exists() {
                    std::fs::remove_file(&warc).map_err(file)?;
                }
                ArchiveWriter::create(&warc, about).map_err(file)?
            }
        };
        let mut desk =
            Desk { state, archive, unsafe_pages: Vec::new(), dirty: false, committed: Instant::now() };
        desk.state.begin()?;
        desk.state.set(START, start)?;
        desk.begin_pass(options)?;
        desk.dirty = true;
        desk.commit().map_err(|error| CrawlError::File { path: name, error })?;
        Ok(desk)
    }

    /// A second visit begins, unless one has begun and not ended.
    fn begin_pass(&mut self, options: &CrawlOptions) -> Result<(), CrawlError> {
        let mode = options.mode;
        if mode == Mode::New {
            return Ok(());
        }
        self.state.retry_failed()?;
        if !options.traps {
            self.state.open_traps()?;
        }
        self.state.forget_robots()?;
        if mode == Mode::ChangedOnly && self.state.get(PASS)?.is_none() {
            self.state.revisit()?;
            self.state.set(PASS, "changed-only")?;
        }
        Ok(())
    }

    /// Whether this is a second visit.
    pub(super) fn is_revisit(&self) -> Result<bool, super::StateError> {
        Ok(self.state.get(PASS)?.is_some())
    }

    /// The visit is over; replaced records go.
    pub(super) fn end_pass(&mut self) -> Result<(), String> {
        let over = (|| {
            self.state.begin()?;
            self.state.sql(|db| db.execute("DELETE FROM meta WHERE key = ?", [PASS]))?;
            self.state.commit()
        })();
        over.map_err(|error| error.to_string())?;
        compact::compact(self.archive.path(), &mut self.state)
    }

    /// Writes records; they are safe after the next commit.
    pub(super) fn write(&mut self, packed: &PackedExchange) -> io::Result<Written> {
        self.archive.write_packed(packed)
    }

    /// A page that is to be reported when it is safe.
    pub(super) fn report_later(&mut self, page: SavedPage) {
        self.unsafe_pages.push(page);
    }

    /// Changes to the state begin.
    pub(super) fn change(&mut self) -> Result<&mut State, super::StateError> {
        self.state.begin()?;
        self.dirty = true;
        Ok(&mut self.state)
    }

    /// How long until the next commit is due; none if there is nothing to commit.
    pub(super) fn due(&self) -> Option<Duration> {
        self.dirty.then(|| COMMIT_EVERY.saturating_sub(self.committed.elapsed()))
    }

    /// Brings the archive to the disk, then what is known about it. The pages that are safe from now on.
    pub(super) fn commit(&mut self) -> io::Result<Vec<SavedPage>> {
        if !self.dirty {
            return Ok(Vec::new());
        }
        self.archive.sync()?;
        let length = self.archive.length().to_string();
        self.state.begin().and_then(|()| self.state.set(LENGTH, &length)).map_err(io::Error::other)?;
        self.state.commit().map_err(io::Error::other)?;
        self.dirty = false;
        self.committed = Instant::now();
        Ok(std::mem::take(&mut self.unsafe_pages))
    }
}

fn is_empty(place: &Place) -> bool {
    std::fs::read_dir(place.path()).is_ok_and(|mut entries| entries.next().is_none())
}
