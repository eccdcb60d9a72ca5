//! What can go wrong while measuring: always what, where, and what to do.

use std::path::PathBuf;

/// Why a method could not be run on a site; any error will do.
pub type MethodError = Box<dyn std::error::Error + Send + Sync>;

/// Why a measurement could not be made.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A gold site or folder is missing or unreadable.
    #[error("cannot read {path}: {source}; check that the path is right and readable")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder has no gold site.
    #[error("no gold site (*.tar.zst) in {path}{hint}")]
    NoGold {
        /// The folder.
        path: PathBuf,
        /// Where there are some, if one folder deeper; starts with `; `.
        hint: String,
    },
    /// A gold site is not made as described.
    #[error("{path}: {what}; a gold site is a zstd-compressed tar with meta.json, gold.jsonl and pages/")]
    Gold {
        /// The gold site.
        path: PathBuf,
        /// What is wrong, with the line where there is one.
        what: String,
    },
    /// The database is not one of ours.
    #[error("{path}: {source}; expected the tables _pages and _cells of a database written by `unsite run`")]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file of floors cannot be read or written.
    #[error("cannot {action} the floors in {path}: {source}")]
    Floors {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file of floors was changed by hand or contradicts itself.
    #[error("{path}: {what}; restore it from version control and change floors with the gate's own commands")]
    Seal {
        /// The file.
        path: PathBuf,
        /// What contradicts what.
        what: String,
    },
    /// A change of a floor that is not allowed.
    #[error("{0}")]
    Refused(String),
}
