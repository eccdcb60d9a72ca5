//! Taking replaced records out of an archive: after a second visit each page stands in it once, as it is now.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rusqlite::params;

use super::place::beside;
use super::state::{Outcome, State};

/// The length that the archive will have when it is replaced by the file beside it.
const PENDING: &str = "compacted";

/// The length of the archive that is good.
pub(crate) const LENGTH: &str = "length";

/// Writes the archive without what was superseded and puts it in its place. Killed at any moment, the archive is the
/// old one or the new one, and the state knows which.
pub(crate) fn compact(warc: &Path, state: &mut State) -> Result<(), String> {
    let text =
        |error: io::Error| format!("replaced records could not be taken out of {}: {error}", warc.display());
    let holes = holes(state).map_err(|error| error.to_string())?;
    if holes.is_empty() {
        return Ok(());
    }
    let length: u64 = fs::metadata(warc).map_err(text)?.len();
    let new = copy_without(warc, &holes, length).map_err(text)?;
    let moved = |state: &mut State| -> Outcome<()> {
        state.begin()?;
        state.sql(|db| {
            let mut update =
                db.prepare("UPDATE urls SET offset = offset - ?1 WHERE offset >= ?2 AND offset < ?3")?;
            let mut gone = 0u64;
            // Each stretch behind a hole moves by what is missing before it; from the front, so that none moves twice.
            for (at, (offset, whole)) in holes.iter().enumerate() {
                gone += whole;
                let from = offset + whole;
                let to = holes.get(at + 1).map_or(length, |next| next.0);
                update.execute(params![gone.cast_signed(), from.cast_signed(), to.cast_signed()])?;
            }
            db.execute("DELETE FROM superseded", [])
        })?;
        state.set(LENGTH, &new.to_string())?;
        state.set(PENDING, &new.to_string())?;
        state.commit()
    };
    moved(state).map_err(|error| error.to_string())?;
    settle(warc, state).map_err(text)
}

/// Finishes a replacement that was decided and perhaps not done.
pub(crate) fn settle(warc: &Path, state: &mut State) -> io::Result<()> {
    let other = io::Error::other;
    let Some(length) = state.get(PENDING).map_err(other)? else { return Ok(()) };
    let part = beside(warc, ".compact");
    let is_whole = fs::metadata(&part).is_ok_and(|metadata| metadata.len().to_string() == length);
    if is_whole {
        fs::rename(&part, warc)?;
    }
    state.sql(|db| db.execute("DELETE FROM meta WHERE key = ?", [PENDING])).map(drop).map_err(other)
}

/// What was superseded, in order, each once.
fn holes(state: &State) -> Outcome<Vec<(u64, u64)>> {
    state.sql(|db| {
        let mut select = db.prepare("SELECT DISTINCT offset, whole FROM superseded ORDER BY offset")?;
        let rows = select.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, i64>(1)?.cast_unsigned()))
        })?;
        rows.collect()
    })
}

fn copy_without(warc: &Path, holes: &[(u64, u64)], length: u64) -> io::Result<u64> {
    let mut from = File::open(warc)?;
    let mut to = BufWriter::new(File::create(beside(warc, ".compact"))?);
    let (mut at, mut written) = (0, 0);
    for (offset, whole) in holes.iter().copied().chain([(length, 0)]) {
        from.seek(SeekFrom::Start(at))?;
        written += io::copy(&mut Read::by_ref(&mut from).take(offset.saturating_sub(at)), &mut to)?;
        at = offset + whole;
    }
    to.flush()?;
    to.get_ref().sync_all()?;
    Ok(written)
}
