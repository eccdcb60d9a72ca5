//! `_paths`: every node path once, numbered in the order of its first use.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Result, Statement, params};

/// Paths remembered at a time. A template site has thousands; beyond this the table itself is asked.
const REMEMBERED: usize = 200_000;

pub(crate) struct Paths<'a> {
    find: Statement<'a>,
    insert: Statement<'a>,
    known: HashMap<String, i64>,
    last: i64,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(db: &'a Connection) -> Result<Self> {
        Ok(Paths {
            find: db.prepare("SELECT id FROM _paths WHERE path = ?")?,
            insert: db.prepare("INSERT INTO _paths VALUES (?, ?)")?,
            known: HashMap::new(),
            last: 0,
        })
    }

    pub(crate) fn id(&mut self, path: &str) -> Result<i64> {
        if let Some(&id) = self.known.get(path) {
            return Ok(id);
        }
        let is_complete = self.known.len() as i64 == self.last;
        let stored = if is_complete { None } else { self.find.query_row([path], |r| r.get(0)).optional()? };
        let id = match stored {
            Some(id) => id,
            None => {
                self.last += 1;
                self.insert.execute(params![self.last, path])?;
                self.last
            }
        };
        if self.known.len() < REMEMBERED {
            self.known.insert(path.to_owned(), id);
        }
        Ok(id)
    }
}
