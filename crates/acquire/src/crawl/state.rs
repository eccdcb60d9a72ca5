//! What a crawl remembers, on disk: every address with what became of it, and how much of the archive is good.
//!
//! # What it does
//! One SQLite file. Everything that a batch of pages changes is one transaction, committed after the archive was
//! brought to the disk. A crash leaves the last commit, and the archive is cut back to the length that it names.
//!
//! # Assumes
//! That the disk keeps what it said it has. Two addresses with the same 64-bit hash are taken for one; with a million
//! addresses that happens once in forty million crawls.
//!
//! # When it fails
//! Without state, an archive cannot be resumed.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};
use rustc_hash::FxHashSet;
use thiserror::Error;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// The layout of the file; later ones are not read, earlier ones are brought up to it.
const VERSION: i64 = 2;

/// Kilobytes of the file that SQLite keeps in memory, however large it gets.
const CACHE_KILOBYTES: i64 = 1 << 10;

/// Hashes of recently queued addresses that are kept to pass over a site's menu quickly; fixed in number.
const RECENT: usize = 1 << 16;

/// Doubtful addresses come behind all others, however near to the start they are: a site that writes a fresh mark into
/// every link has its real pages fetched before its copies. Deeper than this nothing is, short of a trap.
pub(super) const DOUBTED: i64 = 100_000;

/// The state could not be read or written.
#[derive(Debug, Error)]
#[error("the crawl's state {path}: {message}")]
pub struct StateError {
    pub(crate) path: String,
    pub(crate) message: String,
}

/// What became of an address. The numbers are on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub(crate) enum Fate {
    /// It waits.
    Queued = 0,
    /// In the archive.
    Saved = 1,
    /// Leads elsewhere; that it does is in the archive.
    Redirect = 2,
    /// Shows what another page shows.
    Duplicate = 3,
    /// Names another address of the site as its own.
    Alias = 4,
    /// robots.txt forbids it.
    Forbidden = 5,
    /// Could not be fetched; another run tries again.
    Failed = 6,
    /// The server says that there is no such page, or another error that stays.
    Missing = 7,
    /// No page: an image, a document, a list of pages.
    Other = 8,
    /// Asks not to be kept.
    NoIndex = 9,
    /// In a trap.
    Trap = 10,
    /// Outside of what this run wants; another one may want it.
    Excluded = 11,
}

/// What an address is expected to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Page,
    /// A sitemap or feed.
    List,
}

/// An address to be queued.
#[derive(Debug, Clone)]
pub(crate) struct NewUrl<'a> {
    pub(crate) url: &'a Url,
    pub(crate) host: i64,
    pub(crate) kind: Kind,
    pub(crate) depth: u32,
    /// Redirects on the way.
    pub(crate) hops: u32,
    /// The page that it was found on.
    pub(crate) via: Option<i64>,
    /// That page showed nothing new.
    pub(crate) doubtful: bool,
}

/// Whether an address was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Added {
    New,
    /// It was left alone, and waits again.
    Freed,
    Known,
}

/// An address whose turn it is.
#[derive(Debug, Clone)]
pub(crate) struct Queued {
    pub(crate) id: i64,
    pub(crate) url: Url,
    pub(crate) kind: Kind,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    /// Times it was asked for in this run.
    pub(crate) tries: u32,
    /// It must be kept even if it names another address as its own.
    pub(crate) insist: bool,
    /// Nothing but pages that showed nothing new have named it.
    pub(crate) doubtful: bool,
    /// Only a part of it is in the archive.
    pub(crate) cut: bool,
    /// What is known from the last visit, if there was one.
    pub(crate) before: Option<Before>,
}

/// A page as it was at the last visit.
#[derive(Debug, Clone)]
pub(crate) struct Before {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) content: i64,
    pub(crate) digest: String,
}

/// A page that was written to the archive.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    pub(crate) status: u16,
    pub(crate) offset: u64,
    /// Of the response alone.
    pub(crate) length: u64,
    /// Of the response and its request.
    pub(crate) whole: u64,
    pub(crate) digest: String,
    pub(crate) date: String,
    pub(crate) title: String,
    pub(crate) surt: String,
    pub(crate) media: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) content: i64,
}

/// The open state.
pub(crate) struct State {
    pub(super) db: Connection,
    path: String,
    recent: Vec<u64>,
    open: bool,
}

/// A host by its number: its name and the text of its robots.txt, if that was read.
pub(crate) type KnownHost = (i64, String, Option<Vec<u8>>);

pub(crate) type Outcome<T> = Result<T, StateError>;

impl State {
    /// Opens or makes the file. Another program that has it open is an error.
    pub(crate) fn open(path: &Path) -> Outcome<State> {
        let name = path.display().to_string();
        let fail = |message: String| StateError { path: name.clone(), message };
        let db = Connection::open(path).map_err(|error| fail(error.to_string()))?;
        let mut state = State { db, path: name.clone(), recent: vec![0; RECENT], open: false };
        state.set_up().map_err(|error| match error.message.contains("locked") {
            true => fail("another crawl is using it; wait until that one has ended".to_owned()),
            false => error,
        })?;
        Ok(state)
    }

    fn set_up(&mut self) -> Outcome<()> {
        // A program that was killed a moment ago may still be going away.
        self.sql(|db| db.busy_timeout(Duration::from_secs(5)))?;
        let pragmas = format!(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             PRAGMA cache_size = -{CACHE_KILOBYTES}; PRAGMA temp_store = FILE;"
        );
        self.sql(|db| db.execute_batch(&pragmas))?;
        let version: i64 = self.sql(|db| db.query_row("PRAGMA user_version", [], |row| row.get(0)))?;
        match version {
            0 => self.sql(|db| {
                db.execute_batch(&format!("BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"))
            }),
            1 => self.sql(|db| {
                db.execute_batch(&format!("BEGIN; {FROM_FIRST} PRAGMA user_version = {VERSION}; COMMIT;"))
            }),
            VERSION => Ok(()),
            _ => {
                Err(self.error("was written by another version of this program; crawl again into a new file"))
            }
        }
    }

    /// Starts collecting changes, unless that has begun.
    pub(crate) fn begin(&mut self) -> Outcome<()> {
        if !self.open {
            self.sql(|db| db.execute_batch("BEGIN IMMEDIATE"))?;
            self.open = true;
        }
        Ok(())
    }

    /// All changes since [`State::begin`], or none.
    pub(crate) fn commit(&mut self) -> Outcome<()> {
        if self.open {
            self.sql(|db| db.execute_batch("COMMIT"))?;
            self.open = false;
        }
        Ok(())
    }

    /// Forgets all changes since [`State::begin`].
    pub(crate) fn roll_back(&mut self) {
        if self.open {
            // SQLite may have done so by itself.
            let _ = self.sql(|db| db.execute_batch("ROLLBACK"));
            self.open = false;
        }
    }

    pub(crate) fn get(&self, key: &str) -> Outcome<Option<String>> {
        self.sql(|db| {
            db.query_row("SELECT value FROM meta WHERE key = ?", [key], |row| row.get(0)).optional()
        })
    }

    pub(crate) fn set(&self, key: &str, value: &str) -> Outcome<()> {
        self.sql(|db| db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [key, value])).map(drop)
    }

    /// Queues an address unless it is known.
    pub(crate) fn add(&mut self, new: &NewUrl<'_>) -> Outcome<Added> {
        let hash = xxh3_64(new.url.as_str().as_bytes());
        let place = usize::try_from(hash % RECENT as u64).unwrap_or_default();
        // The lowest bit says that it is not doubtful.
        let is_recent = self.recent[place] | 1 == hash | 1;
        if is_recent && (new.doubtful || self.recent[place] & 1 == 1) {
            return Ok(Added::Known);
        }
        self.recent[place] = hash & !1 | u64::from(!new.doubtful);
        let kind = i64::from(new.kind == Kind::List);
        let added = self.sql(|db| {
            db.prepare_cached(
                "INSERT OR IGNORE INTO urls (hash, url, host, kind, depth, hops, rank, via, doubtful, state)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            )?
            .execute(params![
                hash.cast_signed(),
                new.url.as_str(),
                new.host,
                kind,
                new.depth,
                new.hops,
                i64::from(new.depth) + if new.doubtful { DOUBTED } else { 0 },
                new.via,
                new.doubtful.then_some(1)
            ])
        })?;
        Ok(match added {
            0 if !new.doubtful && self.clear_doubt(new.url)? => Added::Freed,
            0 => Added::Known,
            _ => Added::New,
        })
    }

    /// The next addresses of a host in their order, without those that are being fetched.
    pub(crate) fn next(
        &self,
        host: i64,
        kind: Kind,
        most: usize,
        running: &FxHashSet<i64>,
    ) -> Outcome<Vec<Queued>> {
        let limit = i64::try_from(most + running.len()).unwrap_or(i64::MAX);
        let rows = self.sql(|db| {
            let mut select = db.prepare_cached(
                "SELECT id, url, kind, depth, hops, insist, length, etag, modified, content, digest, doubtful, cut
                 FROM urls WHERE host = ? AND kind = ? AND state = 0 ORDER BY rank, id LIMIT ?",
            )?;
            let rows = select.query_map(params![host, i64::from(kind == Kind::List), limit], queued)?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        Ok(rows.into_iter().flatten().filter(|queued| !running.contains(&queued.id)).take(most).collect())
    }

    /// Says what became of an address.
    pub(crate) fn settle(
        &self,
        id: i64,
        fate: Fate,
        status: Option<u16>,
        message: Option<&str>,
    ) -> Outcome<()> {
        self.sql(|db| {
            db.prepare_cached(
                "UPDATE urls SET state = ?, status = coalesce(?, status), message = ? WHERE id = ?",
            )?
            .execute(params![fate as i64, status, message, id])
        })
        .map(drop)
    }

    /// It is in the archive. What was there for it before gives way.
    pub(crate) fn settle_saved(&self, id: i64, fate: Fate, record: &Record) -> Outcome<()> {
        self.sql(|db| {
            db.prepare_cached(
                "INSERT INTO superseded SELECT offset, whole FROM urls WHERE id = ? AND whole IS NOT NULL",
            )?
            .execute([id])?;
            db.prepare_cached(
                "UPDATE urls SET state = ?, status = ?, offset = ?, length = ?, whole = ?, digest = ?, date = ?, title = ?,
                 surt = ?, media = ?, etag = ?, modified = ?, content = ?, message = NULL, cut = NULL WHERE id = ?",
            )?
            .execute(params![
                fate as i64,
                record.status,
                record.offset.cast_signed(),
                record.length.cast_signed(),
                record.whole.cast_signed(),
                record.digest,
                record.date,
                record.title,
                record.surt,
                record.media,
                record.etag,
                record.modified,
                record.content,
                id
            ])
        })
        .map(drop)
    }

    /// The page names `canonical` as its own address.
    pub(crate) fn settle_alias(&self, id: i64, canonical: &Url) -> Outcome<()> {
        let hash = xxh3_64(canonical.as_str().as_bytes()).cast_signed();
        self.sql(|db| {
            db.execute(
                "UPDATE urls SET state = ?, canonical = ? WHERE id = ?",
                params![Fate::Alias as i64, hash, id],
            )
        })
        .map(drop)
    }

    /// What became of an address, if it is known.
    pub(crate) fn fate(&self, url: &Url) -> Outcome<Option<i64>> {
        let hash = xxh3_64(url.as_str().as_bytes()).cast_signed();
        self.sql(|db| {
            db.prepare_cached("SELECT state FROM urls WHERE hash = ?")?
                .query_row([hash], |row| row.get(0))
                .optional()
        })
    }

    /// A saved page with this content, other than `id`.
    pub(crate) fn with_content(&self, content: i64, id: i64) -> Outcome<Option<String>> {
        self.sql(|db| {
            db.prepare_cached("SELECT url FROM urls WHERE content = ? AND state = 1 AND id <> ? LIMIT 1")?
                .query_row([content, id], |row| row.get(0))
                .optional()
        })
    }

    /// How many addresses have each fate, by its number.
    pub(crate) fn counts(&self) -> Outcome<Vec<(i64, u64)>> {
        self.sql(|db| {
            let mut select = db.prepare("SELECT state, count(*) FROM urls WHERE kind = 0 GROUP BY state")?;
            let rows =
                select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
            rows.collect()
        })
    }

    /// How many addresses wait, lists too.
    pub(crate) fn waiting(&self) -> Outcome<u64> {
        self.sql(|db| {
            db.query_row("SELECT count(*) FROM urls WHERE state = 0", [], |row| row.get::<_, i64>(0))
        })
        .map(i64::cast_unsigned)
    }

    /// Every saved page is to be visited again: pages on which others were found first, lists and the rest behind the
    /// new pages that these bring.
    pub(crate) fn revisit(&self) -> Outcome<()> {
        self.sql(|db| {
            db.execute_batch(
                "CREATE TEMP TABLE brought AS SELECT via AS id, count(*) AS pages FROM urls WHERE via IS NOT NULL GROUP BY via;
                 UPDATE urls SET state = 0, rank = coalesce(-1000000 - (SELECT pages FROM temp.brought b WHERE b.id = urls.id), 1000000)
                 WHERE state = 1 OR (kind = 1 AND state = 8);
                 DROP TABLE temp.brought;",
            )
        })
    }

    pub(crate) fn hosts(&self) -> Outcome<Vec<KnownHost>> {
        self.sql(|db| {
            let mut select = db.prepare("SELECT id, name, robots FROM hosts ORDER BY id")?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        })
    }

    pub(crate) fn add_host(&self, name: &str) -> Outcome<i64> {
        self.sql(|db| {
            db.execute("INSERT INTO hosts (name) VALUES (?)", [name])?;
            Ok(db.last_insert_rowid())
        })
    }

    pub(crate) fn set_robots(&self, host: i64, robots: Option<&[u8]>) -> Outcome<()> {
        self.sql(|db| db.execute("UPDATE hosts SET robots = ? WHERE id = ?", params![robots, host])).map(drop)
    }

    pub(crate) fn forget_robots(&self) -> Outcome<()> {
        self.sql(|db| db.execute("UPDATE hosts SET robots = NULL", [])).map(drop)
    }

    pub(crate) fn add_trap(&self, shape: &str, example: &str) -> Outcome<()> {
        self.sql(|db| db.execute("INSERT OR IGNORE INTO traps VALUES (?, ?)", [shape, example])).map(drop)
    }

    pub(crate) fn traps(&self) -> Outcome<Vec<String>> {
        self.sql(|db| {
            let mut select = db.prepare("SELECT shape FROM traps ORDER BY shape")?;
            let rows = select.query_map([], |row| row.get(0))?;
            rows.collect()
        })
    }

    pub(crate) fn sql<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Outcome<T> {
        work(&self.db).map_err(|error| self.error(&error.to_string()))
    }

    pub(crate) fn error(&self, message: &str) -> StateError {
        StateError { path: self.path.clone(), message: message.to_owned() }
    }
}

fn queued(row: &Row<'_>) -> rusqlite::Result<Option<Queued>> {
    let Ok(url) = Url::parse(&row.get::<_, String>(1)?) else { return Ok(None) };
    let before = match row.get::<_, Option<i64>>(6)? {
        Some(_) => Some(Before {
            etag: row.get(7)?,
            modified: row.get(8)?,
            content: row.get::<_, Option<i64>>(9)?.unwrap_or_default(),
            digest: row.get::<_, Option<String>>(10)?.unwrap_or_default(),
        }),
        None => None,
    };
    Ok(Some(Queued {
        id: row.get(0)?,
        url,
        kind: if row.get::<_, i64>(2)? == 1 { Kind::List } else { Kind::Page },
        depth: row.get(3)?,
        hops: row.get(4)?,
        tries: 0,
        insist: row.get::<_, Option<i64>>(5)?.is_some(),
        doubtful: row.get::<_, Option<i64>>(11)?.is_some(),
        cut: row.get::<_, Option<i64>>(12)?.is_some(),
        before,
    }))
}

const SCHEMA: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, robots BLOB);
CREATE TABLE traps (shape TEXT PRIMARY KEY, example TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE superseded (offset INTEGER NOT NULL, whole INTEGER NOT NULL);
CREATE TABLE urls (
    id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, url TEXT NOT NULL, host INTEGER NOT NULL, kind INTEGER NOT NULL,
    depth INTEGER NOT NULL, hops INTEGER NOT NULL, rank INTEGER NOT NULL, via INTEGER, state INTEGER NOT NULL,
    status INTEGER, offset INTEGER, length INTEGER, whole INTEGER, digest TEXT, date TEXT, title TEXT, surt TEXT,
    media TEXT, etag TEXT, modified TEXT, content INTEGER, canonical INTEGER, insist INTEGER, message TEXT,
    doubtful INTEGER, cut INTEGER
);
CREATE INDEX queue ON urls (host, kind, rank, id) WHERE state = 0;
CREATE INDEX contents ON urls (content) WHERE state = 1;
CREATE INDEX aliases ON urls (canonical) WHERE state = 4;
";

/// The first layout knew neither doubt nor pages that were cut, and called real pages traps: these wait again.
const FROM_FIRST: &str = "
ALTER TABLE urls ADD COLUMN doubtful INTEGER;
ALTER TABLE urls ADD COLUMN cut INTEGER;
DROP INDEX queue;
CREATE INDEX queue ON urls (host, kind, rank, id) WHERE state = 0;
UPDATE urls SET state = 0 WHERE state = 10;
DELETE FROM traps;
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_committed_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.crawl");
        let url = Url::parse("http://a.test/").unwrap();
        {
            let mut state = State::open(&path).unwrap();
            state.begin().unwrap();
            let host = state.add_host("a.test").unwrap();
            let new =
                NewUrl { url: &url, host, kind: Kind::Page, depth: 0, hops: 0, via: None, doubtful: false };
            assert_eq!([state.add(&new).unwrap(), state.add(&new).unwrap()], [Added::New, Added::Known]);
            state.commit().unwrap();
            state.begin().unwrap();
            state.settle(1, Fate::Missing, Some(404), None).unwrap();
            // Never committed.
        }
        let state = State::open(&path).unwrap();
        assert_eq!(state.fate(&url).unwrap(), Some(0));
        let next = state.next(1, Kind::Page, 10, &FxHashSet::default()).unwrap();
        assert_eq!((next.len(), next[0].url.as_str()), (1, "http://a.test/"));
        assert!(state.next(1, Kind::Page, 10, &FxHashSet::from_iter([1])).unwrap().is_empty());
    }

    #[test]
    fn two_crawls_do_not_share_a_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.crawl");
        let first = State::open(&path).unwrap();
        first.set("a", "b").unwrap();
        let second = Connection::open(&path).unwrap();
        second.busy_timeout(Duration::ZERO).unwrap();
        assert!(second.query_row("SELECT count(*) FROM meta", [], |row| row.get::<_, i64>(0)).is_err());
    }
}
