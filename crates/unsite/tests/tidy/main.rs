//! What must stay tidy: the crate graph, the order of modules, the size of files, and documents that tell the truth.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod support;

mod documents;
mod rooms;

use std::fs;
use std::path::{Path, PathBuf};

/// The text of a file of the repository.
fn text(path: impl AsRef<Path>) -> String {
    let path = support::root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder of the repository, sorted; nothing that is built or hidden.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = support::root();
    let mut open = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name == "target" || (name.starts_with('.') && name != ".ci") {
            continue;
        }
        match fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.expect("is readable").path())),
            Err(_) => found.push(path.strip_prefix(&root).expect("is below the root").to_owned()),
        }
    }
    found.sort();
    found
}
