//! Why an output could not be written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::output::KNOWN_ENDINGS;

/// Why an output could not be written. Whatever stood at the target before is still there, whole.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The name of the output does not say what to write.
    #[error("{path:?} does not say what to write; known endings are {KNOWN_ENDINGS}")]
    UnknownEnding {
        /// The name as it was given.
        path: String,
    },
    /// The target cannot take the output.
    #[error("cannot write {}: {reason}", path.display())]
    Target {
        /// The target.
        path: PathBuf,
        /// What is in the way and what to do about it.
        reason: String,
    },
    /// The file system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk is full.
    #[error("no space left while writing {}; what stood there before is unchanged", path.display())]
    DiskFull {
        /// The target.
        path: PathBuf,
    },
    /// SQLite refused.
    #[error("cannot write {}: {source}", path.display())]
    Sqlite {
        /// The target.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A database server refused.
    #[error("cannot write {target}: {reason}")]
    Server {
        /// The server's address, without a password.
        target: String,
        /// What is in the way and what to do about it.
        reason: String,
    },
    /// Another program wrote to the output in the meantime.
    #[error("{} was changed by another program meanwhile and is left as it is; run again", path.display())]
    Changed {
        /// The target.
        path: PathBuf,
    },
    /// Another program is using the output.
    #[error("{} is left as it is: another program is writing to it or reading it right now; run again when that is done", path.display())]
    InUse {
        /// The target.
        path: PathBuf,
    },
    /// The schema contradicts itself: a mistake of the program, not of the site.
    #[error("the schema is inconsistent: {0}")]
    Schema(String),
    /// A page does not fit the schema: a mistake of the program, not of the site.
    #[error("page {reference:?} does not fit the schema: {reason}")]
    Record {
        /// The page's name inside its source.
        reference: String,
        /// What does not fit.
        reason: String,
    },
    /// An earlier call failed, so there is nothing whole to finish.
    #[error("cannot finish {} because writing to it failed before", path.display())]
    Broken {
        /// The target.
        path: PathBuf,
    },
}

impl StoreError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            return StoreError::DiskFull { path: path.to_owned() };
        }
        StoreError::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn sqlite(path: &Path, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull};
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(DiskFull) => StoreError::DiskFull { path },
            Some(DatabaseBusy | DatabaseLocked) => StoreError::InUse { path },
            _ => StoreError::Sqlite { path, source },
        }
    }
}
