//! WACZ files: a zip whose `archive/` folder holds WARC files.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::bufread::DeflateDecoder;
use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};
use zip::CompressionMethod;

use super::bounded::{self, Counted};
use super::gzip::HIGHEST_GZIP_RATIO;
use super::skipped::Skipped;
use super::sniff::{self, Packing};
use super::warc::{Input, LOST_REVISITS, Revisits, WarcPages};

const BUFFER_BYTES: usize = 64 << 10;

pub(crate) struct WaczPages {
    path: PathBuf,
    name: String,
    entries: VecDeque<Entry>,
    current: Option<WarcPages>,
    pending: VecDeque<Problem>,
    skipped: Skipped,
    limit: usize,
    /// Revisits of all files, and whether these are read once more for what they mean.
    revisits: Revisits,
    is_second: bool,
    read: Vec<Entry>,
}

/// A WARC file in the zip, by where its bytes are.
#[derive(Clone)]
struct Entry {
    name: String,
    start: u64,
    length: u64,
    stored: bool,
}

impl WaczPages {
    pub(crate) fn open(path: &Path, name: String, limit: usize) -> io::Result<Self> {
        let mut pages = WaczPages {
            path: path.to_owned(),
            name,
            entries: VecDeque::new(),
            current: None,
            pending: VecDeque::new(),
            skipped: Skipped::default(),
            limit,
            revisits: Revisits::default(),
            is_second: false,
            read: Vec::new(),
        };
        if let Err(error) = pages.list_entries() {
            // A zip has its table of contents at the end: a cut one still has its records.
            let message = format!(
                "the zip's table of contents cannot be read ({error}); looking for compressed WARC records instead"
            );
            pages.add_problem(ProblemKind::Truncated, pages.name.clone(), None, message);
            pages.current = Some(WarcPages::salvage(path, pages.name.clone(), limit)?);
        } else if pages.entries.is_empty() {
            let message = "the zip has no archive/*.warc or archive/*.warc.gz; is it a WACZ?".to_owned();
            pages.add_problem(ProblemKind::Unreadable, pages.name.clone(), None, message);
        }
        Ok(pages)
    }

    fn list_entries(&mut self) -> zip::result::ZipResult<()> {
        let mut zip = zip::ZipArchive::new(BufReader::new(File::open(&self.path)?))?;
        let mut entries = Vec::new();
        for index in 0..zip.len() {
            let file = match zip.by_index_raw(index) {
                Ok(file) => file,
                Err(error) => {
                    let message = format!("entry {index} of the zip cannot be read: {error}");
                    self.add_problem(ProblemKind::Unreadable, self.name.clone(), None, message);
                    continue;
                }
            };
            let Ok(name) = file.name().map(|name| name.into_owned()) else { continue };
            if !name.starts_with("archive/")
                || sniff::kind_by_extension(&name) != Some(super::SourceKind::Warc)
            {
                continue;
            }
            let method = file.compression();
            let stored = method == CompressionMethod::Stored;
            let readable = (stored || method == CompressionMethod::Deflated) && !file.encrypted();
            match file.data_start() {
                Some(start) if readable => {
                    entries.push(Entry { name, start, length: file.compressed_size(), stored });
                }
                start => {
                    let message =
                        format!("the zip keeps this file encrypted or as {method}, which cannot be read");
                    self.add_problem(ProblemKind::Unreadable, name, start, message);
                }
            }
        }
        self.keep_disjoint(entries);
        Ok(())
    }

    /// Entries that share bytes are how a small zip becomes petabytes; an honest one has none.
    fn keep_disjoint(&mut self, mut entries: Vec<Entry>) {
        entries.sort_by_key(|entry| entry.start);
        let mut free_from = 0;
        for entry in entries {
            if entry.start < free_from {
                let message = "the file overlaps another one in the zip and is not read".to_owned();
                self.add_problem(ProblemKind::Limit, entry.name, Some(entry.start), message);
                continue;
            }
            free_from = entry.start.saturating_add(entry.length);
            self.entries.push_back(entry);
        }
    }

    fn open_entry(&self, entry: &Entry) -> io::Result<WarcPages> {
        if entry.stored {
            return WarcPages::open_section(
                &self.path,
                entry.start,
                entry.length,
                entry.name.clone(),
                self.limit,
            );
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(entry.start))?;
        let packed = BufReader::with_capacity(BUFFER_BYTES, file.take(entry.length));
        let decoder = DeflateDecoder::new(Counted::new(packed));
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, Inflated { decoder, produced: 0 });
        // An error here is met again by whoever reads on.
        let packing = sniff::packing(reader.fill_buf().unwrap_or_default(), &entry.name);
        let input = match packing {
            Packing::Gzip => Input::gzip(Box::new(reader)),
            Packing::Zstd => Input::zstd(Box::new(reader))?,
            Packing::Plain => Input::stream(Box::new(reader)),
        };
        Ok(WarcPages::new(input, entry.name.clone(), self.limit))
    }

    fn add_problem(&mut self, kind: ProblemKind, reference: String, offset: Option<u64>, message: String) {
        self.pending.push_back(Problem { kind, reference, url: None, offset, message });
    }
}

impl PageSource for WaczPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        loop {
            if let Some(problem) = self.pending.pop_front() {
                return Some(Err(problem));
            }
            if let Some(current) = &mut self.current {
                if let Some(item) = current.next_record() {
                    return Some(item);
                }
                self.skipped.add(current.skipped());
                self.revisits = current.revisits();
                self.current = None;
            }
            let Some(entry) = self.entries.pop_front() else {
                let revisits = std::mem::take(&mut self.revisits);
                if !self.is_second && !revisits.is_empty() && !self.read.is_empty() {
                    (self.revisits, self.is_second) = (revisits.settled(), true);
                    self.entries = std::mem::take(&mut self.read).into();
                    continue;
                }
                self.skipped.count_some(LOST_REVISITS, revisits.left() as u64);
                return self.skipped.take_summary("records", &self.name).map(Err);
            };
            match self.open_entry(&entry) {
                Ok(pages) => {
                    self.current = Some(pages.with(std::mem::take(&mut self.revisits), self.is_second));
                    self.read.push(entry);
                }
                Err(_) if self.is_second => {}
                Err(error) => {
                    let message = format!("the file in the zip cannot be read: {error}");
                    self.add_problem(bounded::problem_kind(&error), entry.name, Some(entry.start), message);
                }
            }
        }
    }
}

/// A deflated entry that is not allowed to grow without bounds.
struct Inflated<R: BufRead> {
    decoder: DeflateDecoder<Counted<R>>,
    produced: u64,
}

impl<R: BufRead> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.produced += count as u64;
        bounded::check_ratio(self.decoder.get_ref().position(), self.produced, HIGHEST_GZIP_RATIO)?;
        Ok(count)
    }
}
