//! The labelled sites beside the repository, where they are there: every page that `gold.jsonl` lists is handed out.

use std::io::Read;
use std::path::{Path, PathBuf};

use unsite_acquire::{Source, SourceKind, SourceOptions};
use unsite_dom::{Limits, NodeId, Tree};

/// At most so many sites of each suite, none where the data is not there.
fn sites(most: usize) -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let mut sites: Vec<PathBuf> = Vec::new();
    for suite in ["swde", "live", "redesign", "page-types", "records", "news-roles", "forms", "main-text"] {
        let Ok(entries) = std::fs::read_dir(data.join(suite)) else { continue };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.to_string_lossy().ends_with(".tar.zst"));
        files.sort();
        sites.extend(files.into_iter().take(most));
    }
    if sites.is_empty() {
        skip("the labelled sites are not there: skipped");
    }
    sites
}

/// Every so many pages of a site have their trees compared: enough to meet each of its templates.
const STEP: usize = 10;

#[test]
fn our_parser_builds_the_trees_of_html5ever() {
    let limits = Limits::default();
    for path in sites(usize::MAX) {
        let source = Source::open(path.to_str().unwrap(), &SourceOptions::default()).unwrap();
        for page in crate::support::drain(&source).0.iter().step_by(STEP) {
            let (ours, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &limits);
            let (theirs, _) = Tree::parse_with_html5ever(&page.bytes, page.charset.as_deref(), &limits);
            let is_same = |node: NodeId| {
                let says =
                    |tree: &Tree| (tree.name(node).to_owned(), tree.text(node).to_owned(), tree.end(node));
                says(&ours) == says(&theirs) && ours.attrs(node).eq(theirs.attrs(node))
            };
            assert_eq!(ours.len(), theirs.len(), "{} {}", path.display(), page.reference);
            assert!(ours.nodes().all(is_same), "{} {}", path.display(), page.reference);
        }
    }
}

#[test]
fn every_listed_page_is_read_with_its_address() {
    for path in sites(2) {
        let source = Source::open(path.to_str().unwrap(), &SourceOptions::default()).unwrap();
        assert_eq!(source.kind(), SourceKind::Gold);
        let (pages, problems) = crate::support::drain(&source);
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
