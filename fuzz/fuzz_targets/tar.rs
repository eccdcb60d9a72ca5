#![no_main]
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("there is room for a folder"));

// The bytes are the archive inside: damaged compression is found out at once and leads nowhere.
fuzz_target!(|bytes: &[u8]| {
    let packed = zstd::encode_all(bytes, 1).expect("memory can be packed");
    unsite_fuzz::read_source(FOLDER.path(), "site.tar.zst", &packed);
});
