//! The labelled sites beside the repository, where they are there: every page that `gold.jsonl` lists is handed out.

mod support;

use std::io::Read;
use std::path::{Path, PathBuf};

use unsite_acquire::{Source, SourceKind, SourceOptions};

#[test]
fn every_listed_page_is_read_with_its_address() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let mut sites: Vec<PathBuf> = Vec::new();
    for suite in ["swde", "live", "page-types", "records", "news-roles", "forms"] {
        let Ok(entries) = std::fs::read_dir(data.join(suite)) else { continue };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        sites.extend(files.into_iter().take(2));
    }
    if sites.is_empty() {
        skip("the labelled sites are not there: skipped");
        return;
    }
    for path in sites {
        let source = Source::open(path.to_str().unwrap(), &SourceOptions::default()).unwrap();
        assert_eq!(source.kind(), SourceKind::Gold);
        let (pages, problems) = support::drain(&source);
        assert_eq!(problems, [], "{}", path.display());
        let got: Vec<_> =
            pages.into_iter().map(|page| (page.reference, page.url, page.bytes.len() as u64)).collect();
        assert_eq!(got, listed(&path), "{}", path.display());
    }
}

#[expect(clippy::print_stderr, reason = "a skipped measurement has to be seen")]
fn skip(message: &str) {
    eprintln!("{message}");
}

/// What another tar reader finds, in the order of the archive.
fn listed(path: &Path) -> Vec<(String, String, u64)> {
    let bytes = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    let mut urls = std::collections::HashMap::new();
    let mut files = Vec::new();
    for entry in tar::Archive::new(&bytes[..]).entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        if name == "gold.jsonl" {
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            for line in text.lines() {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                urls.insert(
                    line["file"].as_str().unwrap().to_owned(),
                    line["url"].as_str().unwrap().to_owned(),
                );
            }
        } else if name.starts_with("pages/") {
            files.push((name, entry.size()));
        }
    }
    files.into_iter().map(|(name, size)| (name.clone(), urls[&name].clone(), size)).collect()
}
