//! Finding gold sites, and taking the two label files out of one.

use crate::EvalError;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const SUFFIX: &str = ".tar.zst";
/// Labels are held in memory; a thousand times the largest gold file there is.
const MAX_LABEL_BYTES: u64 = 1 << 30;

/// The gold sites that the arguments name: a file stands for itself, a folder for the gold sites in it by name.
pub fn gold_paths(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, EvalError> {
    let mut found = Vec::new();
    for path in arguments {
        if !path.is_dir() {
            // Opening it here gives the error before an hour of measuring.
            File::open(path).map_err(|source| EvalError::Read { path: path.clone(), source })?;
            found.push(path.clone());
            continue;
        }
        let inside = sites_in(path)?;
        if inside.is_empty() {
            return Err(EvalError::NoGold { path: path.clone(), hint: hint(path) });
        }
        found.extend(inside);
    }
    Ok(found)
}

/// The contents of `meta.json` and `gold.jsonl`; stops as soon as it has both.
pub(super) fn read_labels(path: &Path) -> Result<(Vec<u8>, Vec<u8>), EvalError> {
    let failed = |what: String| EvalError::Gold { path: path.to_path_buf(), what };
    let broken = |error: io::Error| failed(format!("cannot be unpacked: {error}"));
    let file = File::open(path).map_err(|source| EvalError::Read { path: path.to_path_buf(), source })?;
    let mut archive = tar::Archive::new(zstd::stream::read::Decoder::new(file).map_err(broken)?);
    let (mut meta, mut gold) = (None, None);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let slot = match name.trim_start_matches("./") {
            "meta.json" => &mut meta,
            "gold.jsonl" => &mut gold,
            _ => continue,
        };
        if entry.size() > MAX_LABEL_BYTES {
            return Err(failed(format!("{name} has {} bytes, more than {MAX_LABEL_BYTES}", entry.size())));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(broken)?;
        *slot = Some(bytes);
        if meta.is_some() && gold.is_some() {
            break;
        }
    }
    match (meta, gold) {
        (Some(meta), Some(gold)) => Ok((meta, gold)),
        (None, _) => Err(failed("has no meta.json".to_string())),
        (_, None) => Err(failed("has no gold.jsonl".to_string())),
    }
}

fn sites_in(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let unreadable = |source| EvalError::Read { path: folder.to_path_buf(), source };
    let mut inside = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SUFFIX)) {
            inside.push(path);
        }
    }
    inside.sort();
    Ok(inside)
}

/// Suites one folder deeper, for someone who named the folder of suites.
fn hint(folder: &Path) -> String {
    let Ok(entries) = folder.read_dir() else { return String::new() };
    let mut suites: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir() && sites_in(path).is_ok_and(|inside| !inside.is_empty()))
        .map(|path| path.display().to_string())
        .collect();
    suites.sort();
    if suites.is_empty() { String::new() } else { format!("; did you mean {}?", suites.join(", ")) }
}
