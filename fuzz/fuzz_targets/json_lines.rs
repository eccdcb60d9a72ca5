#![no_main]
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("there is room for a folder"));

fuzz_target!(|bytes: &[u8]| unsite_fuzz::read_source(FOLDER.path(), "site.jsonl", bytes));
