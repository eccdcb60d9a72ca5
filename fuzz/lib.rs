//! What the targets share: a source of pages made of random bytes, read to its end.

use std::fs;
use std::path::Path;

use unsite_acquire::{Source, SourceOptions};
use unsite_dom::Limits;

/// Small limits, so that a case ends soon; what is cut at them is read on all the same.
pub const LIMITS: Limits = Limits { page_bytes: 64 << 10, depth: 64, nodes: 5_000 };

/// Puts the bytes into a file of this name and reads all pages of it, twice: a source says the same again.
pub fn read_source(folder: &Path, name: &str, bytes: &[u8]) {
    let file = folder.join(name);
    if fs::write(&file, bytes).is_err() {
        return;
    }
    let Ok(source) = Source::open(&file.to_string_lossy(), &SourceOptions { limits: LIMITS, ..SourceOptions::default() }) else { return };
    let (first, second) = (drained(&source), drained(&source));
    assert_eq!(first, second, "a source says another thing when it is read again");
}

/// How many pages and problems there are, and how many bytes.
fn drained(source: &Source) -> Option<(usize, usize, usize)> {
    let mut pages = source.pages().ok()?;
    let mut counts = (0, 0, 0);
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => {
                counts.0 += 1;
                counts.2 += page.bytes.len();
                assert!(page.bytes.len() <= LIMITS.page_bytes, "a page beyond its limit");
            }
            Err(_) => counts.1 += 1,
        }
    }
    Some(counts)
}
