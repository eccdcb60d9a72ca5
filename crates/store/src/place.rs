//! Where the output is put together, and how it takes the place of what was there.
//!
//! Everything is written in a temporary folder beside the target and then renamed over it, so that at every moment
//! either the old output or the new one is there, whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::StoreError;

/// A target and the temporary folder beside it, which goes away with this value.
#[derive(Debug)]
pub(crate) struct Place {
    target: PathBuf,
    work: TempDir,
}

impl Place {
    /// Finds out early whether `target` can take a file.
    pub(crate) fn for_file(target: &Path) -> Result<Place, StoreError> {
        let target = behind_link(target);
        if target.is_dir() {
            return Err(refused(&target, "it is a folder"));
        }
        Place::beside(target)
    }

    /// Finds out early whether `target` can take a folder. `is_ours` says whether an earlier run wrote a file that
    /// stands there: those are replaced, but nobody else's.
    pub(crate) fn for_folder(target: &Path, is_ours: impl Fn(&str) -> bool) -> Result<Place, StoreError> {
        let target = behind_link(&target.components().collect::<PathBuf>());
        if target.is_file() {
            return Err(refused(&target, "it is a file and a folder is to be written"));
        }
        if target.is_dir() {
            for entry in fs::read_dir(&target).map_err(|e| StoreError::io("read", &target, e))? {
                let name = entry.map_err(|e| StoreError::io("read", &target, e))?.file_name();
                if !name.to_str().is_some_and(&is_ours) {
                    let reason =
                        format!("the folder holds {name:?}, which is not from here; name a new folder");
                    return Err(refused(&target, &reason));
                }
            }
        }
        Place::beside(target)
    }

    fn beside(target: PathBuf) -> Result<Place, StoreError> {
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if !parent.is_dir() {
            return Err(refused(
                &target,
                &format!("there is no folder {}; create it first", parent.display()),
            ));
        }
        let work = tempfile::Builder::new().prefix(".unsite-").suffix(".tmp").tempdir_in(parent);
        let work = work.map_err(|e| StoreError::io("make a temporary folder in", parent, e))?;
        if work.path().to_str().is_none() {
            return Err(refused(&target, "the name of its folder is not UTF-8, which SQLite needs"));
        }
        Ok(Place { target, work })
    }

    /// What is going to be replaced.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A name in the temporary folder.
    pub(crate) fn temporary(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    /// A folder of the system for temporary files, for an output that is no file.
    pub(crate) fn scratch(target: &Path) -> Result<Place, StoreError> {
        let work = tempfile::Builder::new().prefix("unsite-").tempdir();
        let work =
            work.map_err(|e| StoreError::io("make a temporary folder in", &std::env::temp_dir(), e))?;
        Ok(Place { target: target.to_owned(), work })
    }

    /// Puts a finished file in the place of the target, and then another one at a path beside it.
    pub(crate) fn put_file(self, name: &str, beside: Option<(&str, &Path)>) -> Result<PathBuf, StoreError> {
        let file = self.temporary(name);
        // Who may read the old file may read the new one.
        if let Ok(old) = fs::metadata(&self.target) {
            fs::set_permissions(&file, old.permissions()).map_err(|e| StoreError::io("write", &file, e))?;
        }
        sync(&file)?;
        // Another database's journal beside the new one would be played back into it.
        for ending in ["-journal", "-wal", "-shm"] {
            let mut journal = OsString::from(&self.target);
            journal.push(ending);
            if Path::new(&journal).is_file() {
                fs::remove_file(&journal).map_err(|e| StoreError::io("remove", Path::new(&journal), e))?;
            }
        }
        fs::rename(&file, &self.target).map_err(|e| StoreError::io("replace", &self.target, e))?;
        if let Some((name, path)) = beside {
            let file = self.temporary(name);
            sync(&file)?;
            fs::rename(&file, path).map_err(|e| StoreError::io("replace", path, e))?;
        }
        Ok(self.target)
    }

    /// Puts a finished folder in the place of the target.
    pub(crate) fn put_folder(self, name: &str) -> Result<PathBuf, StoreError> {
        let folder = self.temporary(name);
        for entry in fs::read_dir(&folder).map_err(|e| StoreError::io("read", &folder, e))? {
            sync(&entry.map_err(|e| StoreError::io("read", &folder, e))?.path())?;
        }
        let replace = |e| StoreError::io("replace", &self.target, e);
        let old = self.temporary("old");
        let had_old = self.target.is_dir();
        if had_old && exchange(&folder, &self.target) {
            return Ok(self.target);
        }
        if had_old {
            fs::rename(&self.target, &old).map_err(replace)?;
        }
        if let Err(error) = fs::rename(&folder, &self.target) {
            if had_old {
                fs::rename(&old, &self.target).map_err(replace)?;
            }
            return Err(replace(error));
        }
        Ok(self.target)
    }
}

/// Swaps two folders at once, so that at no moment there is none. Not every file system can.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(new: &Path, old: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// A symbolic link stays one: what it points to is replaced.
fn behind_link(path: &Path) -> PathBuf {
    let link = path.is_symlink().then(|| fs::canonicalize(path).ok()).flatten();
    link.unwrap_or_else(|| path.to_owned())
}

fn refused(path: &Path, reason: &str) -> StoreError {
    StoreError::Target { path: path.to_owned(), reason: reason.to_owned() }
}

/// The bytes are on the disk before the name is: a crash in between must not leave an empty file under it.
fn sync(file: &Path) -> Result<(), StoreError> {
    File::options()
        .write(true)
        .open(file)
        .and_then(|f| f.sync_all())
        .map_err(|e| StoreError::io("write", file, e))
}
