//! Addresses that were settled and are wanted after all.

use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::state::{DOUBTED, Fate, Outcome, State};

/// What is tried again comes behind everything that was never tried: pages that break every time must not keep a crawl
/// from the rest.
const LAST: i64 = 1_000_000;

impl State {
    /// What failed or was cut in an earlier run is tried again, and what earlier patterns excluded is looked at anew.
    pub(crate) fn retry_failed(&self) -> Outcome<()> {
        self.sql(|db| {
            db.execute(
                "UPDATE urls SET state = 0, rank = rank % ?1 + ?1 WHERE state = ?2 OR state = 1 AND cut = 1",
                [LAST, Fate::Failed as i64],
            )?;
            db.execute("UPDATE urls SET state = 0 WHERE state = ?", [Fate::Excluded as i64])
        })
        .map(drop)
    }

    /// What was left alone in traps is fetched, and traps are forgotten.
    pub(crate) fn open_traps(&self) -> Outcome<()> {
        self.sql(|db| {
            db.execute("UPDATE urls SET state = 0, message = NULL WHERE state = ?", [Fate::Trap as i64])?;
            db.execute("DELETE FROM traps", [])
        })
        .map(drop)
    }

    /// Pages that named another address as their own which was not saved and does not wait are wanted themselves. How
    /// many there are.
    pub(crate) fn revive_aliases(&self) -> Outcome<usize> {
        self.sql(|db| {
            db.execute(
                "UPDATE urls SET state = 0, insist = 1 WHERE state = 4 AND NOT EXISTS
                 (SELECT 1 FROM urls AS own WHERE own.hash = urls.canonical AND own.state IN (0, 1))",
                [],
            )
        })
    }

    /// Leaves an address alone unless a page with something new on it has named it by now; whether it did.
    pub(crate) fn leave_in_trap(&self, id: i64, trap: &str) -> Outcome<bool> {
        let left = self.sql(|db| {
            db.prepare_cached("UPDATE urls SET state = 10, message = ? WHERE id = ? AND doubtful = 1")?
                .execute(rusqlite::params![trap, id])
        })?;
        Ok(left > 0)
    }

    /// A page with something new on it names an address that is known: it is doubtful no more. Whether that gets it out
    /// of a trap.
    pub(crate) fn clear_doubt(&self, url: &Url) -> Outcome<bool> {
        let hash = xxh3_64(url.as_str().as_bytes()).cast_signed();
        self.sql(|db| {
            let cleared = db
                .prepare_cached(
                    "UPDATE urls SET doubtful = NULL, rank = rank - ? WHERE hash = ? AND doubtful = 1",
                )?
                .execute([DOUBTED, hash])?;
            if cleared == 0 {
                return Ok(false);
            }
            let freed = db
                .prepare_cached("UPDATE urls SET state = 0, message = NULL WHERE hash = ? AND state = 10")?
                .execute([hash])?;
            Ok(freed > 0)
        })
    }

    /// A page was saved only in part; another run asks for the whole, without saying that it has it.
    pub(crate) fn mark_cut(&self, id: i64) -> Outcome<()> {
        self.sql(|db| {
            db.prepare_cached("UPDATE urls SET cut = 1, etag = NULL, modified = NULL WHERE id = ?")?
                .execute([id])
        })
        .map(drop)
    }

    /// What was left alone, by the reason, the most first.
    pub(crate) fn left_alone(&self) -> Outcome<Vec<(String, u64)>> {
        self.sql(|db| {
            let mut select = db.prepare(
                "SELECT coalesce(message, ''), count(*) FROM urls WHERE state = 10 GROUP BY 1 ORDER BY 2 DESC, 1",
            )?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
            rows.collect()
        })
    }

    /// How many addresses, lists too, are in `state`, and how many saved pages are cut.
    pub(crate) fn incomplete(&self) -> Outcome<(u64, u64)> {
        self.sql(|db| {
            let count = |what: &str| {
                db.query_row(&format!("SELECT count(*) FROM urls WHERE {what}"), [], |row| {
                    row.get::<_, i64>(0)
                })
                .map(i64::cast_unsigned)
            };
            Ok((count("state = 6")?, count("state IN (0, 1) AND cut = 1")?))
        })
    }
}
