//! Names that SQL takes without quotes and that are unique whatever the case.

use std::collections::HashMap;

use unsite_dom::is_mark;

/// Bytes of a name before it is made unique. PostgreSQL cuts at 63; this leaves room for a suffix.
const LONGEST_NAME: usize = 52;

/// Bytes of a name with everything that was put to it: what PostgreSQL takes.
const LONGEST_UNIQUE: usize = 63;

/// The words that SQLite does not take as a bare name, and those of PostgreSQL's own columns.
const RESERVED_WORDS: &str = "\
    add all alter and as autoincrement between case cast check cmax cmin collate commit constraint create ctid current_date \
    current_time current_timestamp default deferrable delete distinct drop else escape except exists foreign \
    from group having in index insert intersect into is isnull join limit not nothing notnull null on or \
    order primary raise references returning select set table tableoid then to transaction union unique update using \
    values when where xmax xmin";

/// Gives every name once, whatever the case.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Each name in lower case with the number to try next when it is wanted again.
    taken: HashMap<String, usize>,
}

impl Names {
    /// `wanted`, or `wanted_2`, `wanted_3`, ... when it is taken.
    pub(crate) fn claim(&mut self, wanted: &str) -> String {
        let wanted = &wanted[..wanted.floor_char_boundary(LONGEST_UNIQUE)];
        let key = wanted.to_lowercase();
        let Some(&first) = self.taken.get(&key) else {
            self.taken.insert(key, 2);
            return wanted.to_owned();
        };
        let mut number = first;
        loop {
            let suffix = format!("_{number}");
            let name =
                format!("{}{suffix}", &wanted[..wanted.floor_char_boundary(LONGEST_UNIQUE - suffix.len())]);
            number += 1;
            let numbered = name.to_lowercase();
            if !self.taken.contains_key(&numbered) {
                self.taken.insert(numbered, 2);
                self.taken.insert(key, number);
                return name;
            }
        }
    }

    /// Keeps a name from being given.
    pub(crate) fn take(&mut self, name: &str) {
        self.taken.entry(name.to_lowercase()).or_insert(2);
    }

    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains_key(&name.to_lowercase())
    }
}

/// A name that needs no quotes: letters, digits and single underscores, no leading underscore (those are ours) or
/// digit, not `sqlite_...` and not a reserved word. `kind` (`table`, `column`) goes in front where that helps.
pub(crate) fn identifier(raw: &str, kind: &str) -> String {
    let mut name = String::new();
    for ch in raw.chars() {
        if name.len() + ch.len_utf8() > LONGEST_NAME {
            break;
        }
        if ch.is_alphanumeric() || (is_mark(ch) && !name.is_empty() && !name.ends_with('_')) {
            name.push(ch);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    while name.ends_with('_') {
        name.pop();
    }
    let lower = name.to_lowercase();
    if name.is_empty() {
        "unnamed".to_owned()
    } else if lower.starts_with("sqlite_") || name.starts_with(char::is_numeric) {
        format!("{kind}_{name}")
    } else if RESERVED_WORDS.split_whitespace().any(|word| word == lower) {
        name + "_"
    } else {
        name
    }
}

/// The name in SQL's quotes. Names are safe without, but SQL that is put together quotes them all the same.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay() {
        for name in ["title", "price", "publication_date", "größe", "価格", "Name", "ที่อยู่", "वर्ष"]
        {
            assert_eq!(identifier(name, "column"), name);
        }
    }

    #[test]
    fn hostile_names_become_plain() {
        let cases = [
            ("", "unnamed"),
            ("___", "unnamed"),
            ("\"; DROP TABLE x; --", "DROP_TABLE_x"),
            ("_pages", "pages"),
            ("sqlite_master", "column_sqlite_master"),
            ("2020 sales", "column_2020_sales"),
            ("Order", "Order_"),
            ("a\0b", "a_b"),
            ("💩", "unnamed"),
        ];
        for (raw, want) in cases {
            assert_eq!(identifier(raw, "column"), want, "{raw:?}");
        }
        assert!(identifier(&"x".repeat(1 << 20), "column").len() <= LONGEST_NAME);
    }

    #[test]
    fn names_are_unique_whatever_the_case() {
        let mut names = Names::default();
        let got: Vec<String> = ["a", "A", "a_2", "a", "ä", "Ä"].iter().map(|n| names.claim(n)).collect();
        assert_eq!(got, ["a", "A_2", "a_2_2", "a_3", "ä", "Ä_2"]);
        assert!(names.is_taken("A_3"));
    }

    /// Every keyword of SQLite, made into a name, is accepted bare as a table and as a column.
    #[test]
    fn no_keyword_needs_quotes() {
        let keywords = "ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN \
            BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT \
            CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH \
            DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING \
            FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY \
            INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO \
            NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING \
            PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING \
            RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER \
            UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT";
        let db = rusqlite::Connection::open_in_memory().unwrap();
        for word in keywords.split_whitespace() {
            let name = identifier(word, "column");
            let make = format!(
                "CREATE TABLE \"{name}\" (x INTEGER, {name} TEXT); INSERT INTO {name} VALUES (1, 'here')"
            );
            db.execute_batch(&make).unwrap_or_else(|e| panic!("{word}: {e}"));
            let ask = format!("SELECT {name} FROM {name} WHERE {name} = 'here' ORDER BY {name}");
            assert_eq!(db.query_row(&ask, [], |r| r.get(0)), Ok("here".to_owned()), "{word}");
        }
    }
}
