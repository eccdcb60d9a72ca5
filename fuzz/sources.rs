//! A source of pages made of random bytes.

use std::fs;
use std::path::Path;

use unsite_acquire::{Source, SourceOptions};

use crate::LIMITS;

/// Puts the bytes into a file of this name and reads all pages of it, twice: a source says the same again.
pub fn read_source(folder: &Path, name: &str, bytes: &[u8]) {
    let file = folder.join(name);
    if fs::write(&file, bytes).is_err() {
        return;
    }
    let Ok(source) =
        Source::open(&file.to_string_lossy(), &SourceOptions { limits: LIMITS, ..SourceOptions::default() })
    else {
        return;
    };
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
