//! Every place that pages can be read from, behind one door.
//!
//! [`Source::open`] decides what a name stands for, [`Source::pages`] starts one pass over it.

mod bounded;
mod folder;
mod gold;
mod gzip;
mod jsonl;
mod latest;
mod lines;
mod members;
mod memory;
mod records;
mod rewind;
mod saved_url;
mod single;
mod skipped;
mod sniff;
mod spool;
mod tar_stream;
mod wacz;
mod warc;
mod wayback;
mod zstd_file;
mod zstd_frames;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tempfile::TempPath;
use thiserror::Error;
use unsite_dom::{Limits, PageSource, Problem, RawPage};

pub(crate) use self::bounded::{ReadEnd, read_bounded};
use self::latest::{LatestPages, Newest};
pub(crate) use self::sniff::looks_like_html;
pub use self::spool::Collector;
pub(crate) use self::warc::{FieldsEnd, LAYOUT_TYPE, charset, read_line, undo_encodings};
pub use self::warc::{layout_block, read_layout};

/// How a source is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct SourceOptions {
    /// What is cut off and where; of these a source applies `page_bytes`.
    pub limits: Limits,
    /// Of several captures of an address only the newest.
    pub latest: bool,
}

/// The formats that pages can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A folder of saved pages.
    Folder,
    /// A WARC file, plain or compressed.
    Warc,
    /// A WACZ file: a zip with WARC files inside.
    Wacz,
    /// JSON Lines with `url` and `html`, plain or compressed.
    JsonLines,
    /// A gold site; its labels are not read.
    Gold,
    /// One HTML file.
    Page,
    /// Pages that the program itself brought along.
    Memory,
}

/// Why a source cannot be opened. The message says what, where and what to do next.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// There is nothing under that name.
    #[error(
        "no such file or folder: {name}. Check the spelling; a web address starts with http:// or https://"
    )]
    NotFound {
        /// The name as it was given.
        name: String,
    },
    /// The operating system refuses to open or read it.
    #[error("cannot read {name}: {error}. Check its permissions and that it is a readable file or folder")]
    Unreadable {
        /// The name as it was given.
        name: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// A file of zero bytes.
    #[error("{name} is empty. Check that it was downloaded or written to the end")]
    Empty {
        /// The name as it was given.
        name: String,
    },
    /// A folder without any HTML file.
    #[error("{name} holds no HTML pages ({others} other files). {hint}")]
    NoPages {
        /// The name as it was given.
        name: String,
        /// How many files of other kinds are in it.
        others: u64,
        /// What to do instead.
        hint: String,
    },
    /// The content is of no known format.
    #[error("cannot tell what {name} is: it starts with {start}. Known sources: {KNOWN_FORMATS}")]
    UnknownFormat {
        /// The name as it was given.
        name: String,
        /// Its first bytes, printable.
        start: String,
    },
    /// A web address, which only the crawler can follow.
    #[error(
        "{url} is a web address and its pages have to be fetched first: `unsite crawl {url} -o pages.warc.gz`, and \
         then give pages.warc.gz here"
    )]
    NeedsCrawl {
        /// The address as it was given.
        url: String,
    },
}

const KNOWN_FORMATS: &str = "a folder of HTML pages, .warc, .warc.gz, .warc.zst, .wacz, .jsonl, .jsonl.gz or .ndjson with \
                             {\"url\", \"html\"} in each line, a gold site .tar.zst, a single .html file, - for \
                             standard input";

/// A place that pages come from. Opening it reads little; each call of [`Source::pages`] is a fresh pass.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    kind: SourceKind,
    place: Place,
    limits: Limits,
    /// Where only the newest capture of each address is wanted: which that is, once somebody has looked.
    newest: Option<Arc<OnceLock<Arc<Newest>>>>,
}

#[derive(Debug, Clone)]
enum Place {
    Path(PathBuf),
    Spool(Arc<TempPath>),
    Memory(Arc<Vec<RawPage>>),
    Collected(spool::Spooled),
    /// Records of a WARC file: where each starts, and how long it is.
    Records(PathBuf, Arc<Vec<(u64, u64)>>),
}

impl Source {
    /// Decides what `spec` is: a folder, an archive by its extension (or, failing that, its first bytes), or `-` for
    /// standard input, which is copied to a temporary file once.
    pub fn open(spec: &str, options: &SourceOptions) -> Result<Source, SourceError> {
        if spec == "-" {
            return Source::spooled("standard input", io::stdin().lock(), options);
        }
        if is_web_address(spec) {
            return Err(SourceError::NeedsCrawl { url: spec.to_owned() });
        }
        let path = Path::new(spec);
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(SourceError::NotFound { name: spec.to_owned() });
            }
            Err(error) => return Err(SourceError::Unreadable { name: spec.to_owned(), error }),
        };
        let unreadable = |error| SourceError::Unreadable { name: spec.to_owned(), error };
        let kind = if metadata.is_dir() {
            folder::check(path, spec)?;
            SourceKind::Folder
        } else if metadata.is_file() {
            let start = read_start(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
            kind_of_file(spec, &start)?
        } else {
            // A named pipe or `/dev/fd/63` can be read only once, like standard input.
            return Source::spooled(spec, File::open(path).map_err(unreadable)?, options);
        };
        let place = Place::Path(path.to_owned());
        Ok(Source { name: spec.to_owned(), kind, place, limits: options.limits, newest: newest(options) })
    }

    /// A stream that can be read only once, kept in a temporary file; its format is told by its first bytes.
    pub fn spooled(
        name: &str,
        mut stream: impl Read,
        options: &SourceOptions,
    ) -> Result<Source, SourceError> {
        let unreadable = |error| SourceError::Unreadable { name: name.to_owned(), error };
        let mut file = tempfile::NamedTempFile::new().map_err(unreadable)?;
        io::copy(&mut stream, file.as_file_mut()).map_err(unreadable)?;
        let start = read_start(file.reopen().map_err(unreadable)?).map_err(unreadable)?;
        let kind = sniff_kind(name, &start)?;
        let place = Place::Spool(Arc::new(file.into_temp_path()));
        Ok(Source { name: name.to_owned(), kind, place, limits: options.limits, newest: newest(options) })
    }

    /// Pages that the program brings along, such as an embedded sample site.
    pub fn memory(pages: Vec<RawPage>) -> Source {
        Source {
            name: "memory".to_owned(),
            kind: SourceKind::Memory,
            place: Place::Memory(Arc::new(pages)),
            limits: Limits::default(),
            newest: None,
        }
    }

    /// The same with only the newest of several captures of an address.
    #[must_use]
    pub fn latest(self) -> Source {
        Source { newest: Some(Arc::default()), ..self }
    }

    /// Pages that could be had only once, under a name for people.
    pub fn collected(name: &str, pages: Collector) -> Result<Source, SourceError> {
        let unreadable = |error| SourceError::Unreadable { name: name.to_owned(), error };
        let place = Place::Collected(pages.finish().map_err(unreadable)?);
        let (kind, limits) = (SourceKind::Memory, Limits::default());
        Ok(Source { name: name.to_owned(), kind, place, limits, newest: None })
    }

    /// Some records of a WARC file by the places that an index names: where each starts and how many bytes it has, as they
    /// are stored. Neighbours are read together; what stands between them is passed over.
    pub fn records(
        path: &str,
        ranges: Vec<(u64, u64)>,
        options: &SourceOptions,
    ) -> Result<Source, SourceError> {
        let file = Path::new(path);
        if !file.is_file() {
            return Err(SourceError::NotFound { name: path.to_owned() });
        }
        let place = Place::Records(file.to_owned(), Arc::new(ranges));
        let (kind, limits) = (SourceKind::Warc, options.limits);
        Ok(Source { name: path.to_owned(), kind, place, limits, newest: newest(options) })
    }

    /// Starts a pass over all pages. It may be called as often as wanted and always yields the same sequence.
    pub fn pages(&self) -> Result<Box<dyn PageSource>, SourceError> {
        let Some(newest) = &self.newest else { return self.captures() };
        let newest = match newest.get() {
            Some(newest) => newest.clone(),
            None => {
                let found = Arc::new(Newest::of(self.captures()?.as_mut()));
                newest.get_or_init(|| found).clone()
            }
        };
        Ok(Box::new(LatestPages { pages: self.captures()?, newest }))
    }

    /// All captures of all pages.
    fn captures(&self) -> Result<Box<dyn PageSource>, SourceError> {
        let unreadable = |error| SourceError::Unreadable { name: self.name.clone(), error };
        let limit = self.limits.page_bytes;
        let (path, spool) = match &self.place {
            Place::Collected(spooled) => {
                return Ok(Box::new(spool::SpooledPages::open(spooled).map_err(unreadable)?));
            }
            Place::Records(path, ranges) => {
                let stream = Box::new(records::RecordPages::new(path, self.short_name(), limit, ranges));
                return Ok(Box::new(Pass { stream, _spool: None }));
            }
            Place::Memory(pages) => return Ok(Box::new(memory::MemoryPages::new(pages.clone()))),
            Place::Path(path) => (path.as_path(), None),
            Place::Spool(spool) => (spool.as_ref() as &Path, Some(spool.clone())),
        };
        let stream: Box<dyn PageSource> = match self.kind {
            SourceKind::Folder => Box::new(folder::FolderPages::open(path, limit)),
            SourceKind::JsonLines => Box::new(jsonl::JsonLinesPages::open(path, limit).map_err(unreadable)?),
            SourceKind::Gold => Box::new(gold::GoldPages::open(path, limit).map_err(unreadable)?),
            SourceKind::Page => Box::new(single::SinglePage::new(path, self.short_name(), limit)),
            SourceKind::Warc => {
                Box::new(warc::WarcFile::open(path, self.short_name(), limit).map_err(unreadable)?)
            }
            SourceKind::Wacz => {
                Box::new(wacz::WaczPages::open(path, self.short_name(), limit).map_err(unreadable)?)
            }
            SourceKind::Memory => Box::new(memory::MemoryPages::new(Arc::default())),
        };
        Ok(Box::new(Pass { stream, _spool: spool }))
    }

    /// The name as it was given; `standard input` for `-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The format.
    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// The file's name without its folder, so that no path of this machine reaches a result.
    fn short_name(&self) -> String {
        let path = Path::new(&self.name);
        path.file_name().map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned())
    }
}

impl SourceKind {
    /// The word that people use for it.
    pub fn name(self) -> &'static str {
        match self {
            SourceKind::Folder => "folder",
            SourceKind::Warc => "WARC",
            SourceKind::Wacz => "WACZ",
            SourceKind::JsonLines => "JSON Lines",
            SourceKind::Gold => "gold site",
            SourceKind::Page => "page",
            SourceKind::Memory => "memory",
        }
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A pass keeps the spool file alive even when its [`Source`] is gone.
struct Pass {
    stream: Box<dyn PageSource>,
    _spool: Option<Arc<TempPath>>,
}

impl PageSource for Pass {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        self.stream.next_page().map(|item| item.map(wayback::unwrapped))
    }
}

fn newest(options: &SourceOptions) -> Option<Arc<OnceLock<Arc<Newest>>>> {
    options.latest.then(Arc::default)
}

fn is_web_address(spec: &str) -> bool {
    let lower = spec.get(..8).unwrap_or(spec).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

fn read_start(file: File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(sniff::START_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

fn kind_of_file(name: &str, start: &[u8]) -> Result<SourceKind, SourceError> {
    if start.is_empty() {
        return Err(SourceError::Empty { name: name.to_owned() });
    }
    match sniff::kind_by_extension(name) {
        Some(kind) => Ok(kind),
        None => sniff_kind(name, start),
    }
}

fn sniff_kind(name: &str, start: &[u8]) -> Result<SourceKind, SourceError> {
    if start.is_empty() {
        return Err(SourceError::Empty { name: name.to_owned() });
    }
    sniff::kind_by_content(start).ok_or_else(|| SourceError::UnknownFormat {
        name: name.to_owned(),
        start: format!("\"{}\"", start[..start.len().min(16)].escape_ascii()),
    })
}
