//! A gold site: a tar with `pages/*` and `gold.jsonl`, compressed with zstd.
//!
//! Of `gold.jsonl` only `file` and `url` are read. The labels never leave this file: serde passes them over.

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::path::Path;

use serde::Deserialize;
use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use super::bounded::{self, ReadEnd};
use super::jsonl::longest_line;
use super::lines::Lines;
use super::saved_url;
use super::tar_stream::TarStream;
use super::zstd_file::ZstdFile;

const ADDRESSES: &str = "gold.jsonl";
const PAGES: &str = "pages/";

pub(crate) struct GoldPages {
    tar: Option<TarStream<ZstdFile>>,
    urls: HashMap<String, String>,
    limit: usize,
    pending: Vec<Problem>,
}

#[derive(Deserialize)]
struct Address {
    file: String,
    url: String,
}

impl GoldPages {
    /// Looks up the addresses first, wherever in the archive they are, and then starts at the first page.
    pub(crate) fn open(path: &Path, limit: usize) -> io::Result<Self> {
        let mut pending = Vec::new();
        let urls = read_addresses(TarStream::new(ZstdFile::open(path)?), limit, &mut pending);
        pending.reverse();
        Ok(GoldPages { tar: Some(TarStream::new(ZstdFile::open(path)?)), urls, limit, pending })
    }

    fn next_from_tar(&mut self) -> io::Result<Option<Result<RawPage, Problem>>> {
        let Some(tar) = &mut self.tar else { return Ok(None) };
        while let Some(entry) = tar.next_entry()? {
            if !entry.name.starts_with(PAGES) {
                continue;
            }
            let (bytes, end) = bounded::read_bounded(&mut *tar, self.limit);
            if let ReadEnd::Failed(error) = end {
                return Err(io::Error::new(error.kind(), format!("{} is cut: {error}", entry.name)));
            }
            let url =
                self.urls.remove(&entry.name).unwrap_or_else(|| saved_url::page_url(&bytes, &entry.name));
            let page = RawPage { url, reference: entry.name, bytes, ..RawPage::default() };
            if matches!(end, ReadEnd::Limit) {
                self.pending.push(bounded::page_cut(&page, self.limit));
            } else if page.bytes.is_empty() {
                // It stays a page, because the labels count it as one.
                let mut problem = unreadable(&page.reference, "the page is empty".to_owned());
                problem.url = Some(page.url.clone());
                self.pending.push(problem);
            }
            return Ok(Some(Ok(page)));
        }
        self.tar = None;
        if self.urls.is_empty() {
            return Ok(None);
        }
        let message = format!("{} pages are listed but not in the archive", self.urls.len());
        Ok(Some(Err(unreadable(ADDRESSES, message))))
    }
}

impl PageSource for GoldPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        if let Some(problem) = self.pending.pop() {
            return Some(Err(problem));
        }
        self.next_from_tar().unwrap_or_else(|error| {
            self.tar = None;
            let mut problem = unreadable("archive", format!("nothing can be read from here on: {error}"));
            problem.kind = bounded::problem_kind(&error);
            Some(Err(problem))
        })
    }
}

fn read_addresses(
    mut tar: TarStream<ZstdFile>,
    limit: usize,
    problems: &mut Vec<Problem>,
) -> HashMap<String, String> {
    let mut urls = HashMap::new();
    loop {
        match tar.next_entry() {
            Ok(Some(entry)) if entry.name == ADDRESSES => break,
            Ok(Some(_)) => {}
            // If the archive is damaged the pass over the pages meets the same error and reports it.
            Err(_) => return urls,
            Ok(None) => {
                let message =
                    "the archive has no gold.jsonl, so that pages have no known addresses".to_owned();
                problems.push(unreadable(ADDRESSES, message));
                return urls;
            }
        }
    }
    let mut lines = Lines::new(BufReader::new(tar), longest_line(limit));
    let mut bad_lines = 0u64;
    // An error here is met again, and reported, on the way to the pages.
    while let Ok(Some(line)) = lines.next_line() {
        match line.text.map(|text| serde_json::from_slice::<Address>(&text)) {
            Some(Ok(address)) => {
                urls.insert(address.file.trim_start_matches("./").to_owned(), address.url);
            }
            _ => bad_lines += 1,
        }
    }
    if bad_lines > 0 {
        problems.push(unreadable(ADDRESSES, format!("{bad_lines} lines have no readable file and url")));
    }
    urls
}

fn unreadable(reference: &str, message: String) -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        reference: reference.to_owned(),
        url: None,
        offset: None,
        message,
    }
}
