//! Wrapper files on disk.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use unsite_wrapper::{FORMAT, SavedWrapper};

/// A file that is larger than this is no wrapper: those of the largest labelled sites have a few megabytes.
const LARGEST: u64 = 512 << 20;

/// Reads a wrapper file.
pub fn read_wrapper(path: &Path) -> Result<SavedWrapper> {
    let name = path.display();
    let file = File::open(path)
        .with_context(|| format!("cannot open {name}; `unsite learn SOURCE -w {name}` writes a wrapper"))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > LARGEST {
        bail!("{name} is larger than {} MiB, which no wrapper is", LARGEST >> 20);
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not a wrapper file"))?;
    SavedWrapper::from_text(&text).with_context(|| format!("cannot use {name}"))
}

/// Whether a wrapper may be written there, before the work is done: a file that is there and is none stays.
pub fn may_write_wrapper(path: &Path) -> Result<()> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a folder; give the name of a file, as in site.unsite");
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        bail!("there is no folder {}; create it first", folder.display());
    }
    let Ok(file) = File::open(path) else { return Ok(()) };
    let mut start = Vec::new();
    file.take(START).read_to_end(&mut start).with_context(|| format!("cannot read {name}"))?;
    let says_so = String::from_utf8_lossy(&start).contains(FORMAT);
    // A long log of edits stands before it.
    if !start.is_empty() && !says_so && read_wrapper(path).is_err() {
        bail!("{name} is there already and is no wrapper file; name another one, or remove it first");
    }
    Ok(())
}

/// Whether a file is a wrapper, by how it begins.
pub fn is_wrapper(path: &Path) -> bool {
    let mut start = Vec::new();
    let mut read = || File::open(path)?.take(START).read_to_end(&mut start);
    if !path.is_file() || read().is_err() {
        return false;
    }
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let start = plain(&String::from_utf8_lossy(&start));
    start.starts_with('{') && start.contains(&plain(&format!("\"format\":\"{FORMAT}\"")))
}

/// Bytes at the beginning of a wrapper file within which it says what it is.
const START: u64 = 4096;

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a wrapper file: whole, or not at all.
pub fn write_wrapper(path: &Path, saved: &SavedWrapper) -> Result<()> {
    let name = path.display();
    may_write_wrapper(path)?;
    let folder = folder_of(path);
    let mut file = tempfile::Builder::new()
        .prefix(".unsite-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    file.write_all(saved.to_text().as_bytes())
        .and_then(|()| file.as_file().sync_all())
        .with_context(|| format!("cannot write {name}; what was there is still there"))?;
    let temporary = file.into_temp_path();
    // Temporary files are private; a result is for whoever may read the folder.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).map_or(0o644, |old| old.permissions().mode() & 0o777);
        let _ = fs::set_permissions(&temporary, fs::Permissions::from_mode(mode));
    }
    temporary.persist(path).with_context(|| format!("cannot replace {name}"))?;
    Ok(())
}
