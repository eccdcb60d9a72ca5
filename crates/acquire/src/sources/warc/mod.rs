//! WARC files, versions 1.0 and 1.1, plain or with a gzip member or zstd frame for each record.
//!
//! # What it does
//! Hands out the HTML of response, resource and conversion records. Everything else is counted by kind. A record that
//! cannot be read is a problem with its offset, and reading goes on at the next line that starts with `WARC/1.`. A
//! conversion that refers to the response before it takes its place, with the layout that refers to the conversion. Bodies are
//! decoded on all cores, some records at a time.
//!
//! # Assumes
//! A member or frame that starts with `WARC/1.` starts a record, which lets a record with a wrong length end there.
//!
//! # When it fails
//! A damaged record whose page quotes a WARC header at the start of a line yields that quotation as a record.
//!
//! # Paper
//! ISO 28500:2017 (WARC 1.1).

mod fields;
mod http;
mod input;
mod record;
mod rendered;
mod revisits;
mod waiting;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use unsite_dom::{Moment, PageSource, Problem, ProblemKind, RawPage};

use self::fields::Fields;
pub(crate) use self::fields::{FieldsEnd, read_line};
pub(crate) use self::http::{charset, undo_encodings};
pub(crate) use self::input::Input;
use self::record::{Block, Header, Trouble};
use self::rendered::Held;
pub(crate) use self::rendered::LAYOUT_TYPE;
pub use self::rendered::{layout_block, read_layout};
use self::revisits::Names;
pub(crate) use self::revisits::Revisits;
use self::waiting::{Waiting, has_page};
use super::bounded::{self, ReadEnd};
use super::skipped::Skipped;
use super::sniff::{self, Packing};

const BUFFER_BYTES: usize = 64 << 10;

/// What a summary says of revisits whose records are missing.
pub(crate) const LOST_REVISITS: &str = "revisits of what is not in the archive";

pub(crate) struct WarcPages {
    input: Input,
    /// The file's name, for records that have no id.
    name: String,
    limit: usize,
    state: State,
    waiting: Waiting,
    held: Held,
    skipped: Skipped,
    revisits: Revisits,
    /// Reads once more, for what revisits mean.
    is_second: bool,
}

enum State {
    Reading,
    /// Something was wrong; the next record is looked for.
    Lost,
    Done,
}

/// What a record turned out to be.
#[allow(clippy::large_enum_variant, reason = "one at a time, and nearly all are pages")]
enum Content {
    Page(RawPage, Option<Problem>),
    /// Where the texts of another record's page stand.
    Layout(unsite_dom::Layout),
    Skipped(&'static str),
    Unreadable(Trouble),
}

impl WarcPages {
    /// Opens a file, whose first bytes or name tell whether it is compressed.
    pub(crate) fn open(path: &Path, name: String, limit: usize) -> io::Result<Self> {
        let length = std::fs::metadata(path)?.len();
        WarcPages::open_section(path, 0, length, name, limit)
    }

    /// Opens a part of a file, such as an entry that a zip stores as it is.
    pub(crate) fn open_section(
        path: &Path,
        base: u64,
        length: u64,
        name: String,
        limit: usize,
    ) -> io::Result<Self> {
        let mut reader = section_reader(path, base, length)?;
        let input = match sniff::packing(reader.fill_buf()?, &name) {
            Packing::Gzip => Input::gzip(reader),
            Packing::Zstd => Input::zstd(reader)?,
            Packing::Plain => Input::section(path, base, length)?,
        };
        Ok(WarcPages::new(input, name, limit))
    }

    pub(crate) fn new(input: Input, name: String, limit: usize) -> Self {
        WarcPages {
            input,
            name,
            limit,
            state: State::Reading,
            waiting: Waiting::default(),
            held: Held::default(),
            skipped: Skipped::default(),
            revisits: Revisits::default(),
            is_second: false,
        }
    }

    /// The same, with what other files of the archive have told of revisits. The second reading looks only for what they mean.
    pub(crate) fn with(self, revisits: Revisits, is_second: bool) -> Self {
        WarcPages { revisits, is_second, ..self }
    }

    /// The revisits that were met, or of a second reading those that are left.
    pub(crate) fn revisits(&mut self) -> Revisits {
        std::mem::take(&mut self.revisits)
    }

    /// Looks for records in a file of unknown structure that holds gzip members somewhere.
    pub(crate) fn salvage(path: &Path, name: String, limit: usize) -> io::Result<Self> {
        let reader = section_reader(path, 0, std::fs::metadata(path)?.len())?;
        let mut pages = WarcPages::new(Input::gzip(reader), name, limit);
        pages.state = if pages.input.recover() { State::Lost } else { State::Done };
        Ok(pages)
    }

    /// What was passed over, for somebody who sums up over several files.
    pub(crate) fn skipped(&mut self) -> &mut Skipped {
        &mut self.skipped
    }

    /// The next page or problem, without the summary.
    pub(crate) fn next_record(&mut self) -> Option<Result<RawPage, Problem>> {
        loop {
            if let Some(item) = self.held.next() {
                return Some(item);
            }
            if self.waiting.is_full() || matches!(self.state, State::Done) && !self.waiting.is_empty() {
                self.settle();
                continue;
            }
            match self.state {
                State::Done => {
                    self.held.release();
                    return self.held.next();
                }
                State::Lost => self.resynchronise(),
                State::Reading => self.read_record(),
            }
        }
    }

    /// Decodes what waits.
    fn settle(&mut self) {
        let decoded = self.waiting.decoded(self.limit);
        if self.is_second {
            for page in decoded
                .filter_map(waiting::Decoded::page)
                .flat_map(|(names, page)| self.revisits.of(&names, &page))
            {
                self.held.page(page, None);
            }
            return;
        }
        decoded.for_each(|record| record.hand_over(&mut self.held, &mut self.skipped, &mut self.revisits));
    }

    /// Reads one record.
    fn read_record(&mut self) {
        record::pass_blank(&mut self.input);
        let at_end = self.input.fill().map(<[u8]>::is_empty);
        let offset = self.input.offset();
        match at_end {
            Err(_) => {
                let trouble = Trouble::of_input(&self.input);
                return self.lose(trouble, &Fields::default(), offset);
            }
            Ok(true) => {
                self.state = State::Done;
                return;
            }
            Ok(false) => {}
        }
        if !self.input.at_record() {
            let trouble = Trouble::unreadable("there should be a record that starts with WARC/1. here");
            return self.lose(trouble, &Fields::default(), offset);
        }
        let header = match Header::read(&mut self.input) {
            Ok(header) => header,
            Err((trouble, fields)) => return self.lose(trouble, &fields, offset),
        };
        let place = Place::of(&header.fields, &self.name, offset);
        let names = Names::of(&header.fields, &place);
        let is_revisit =
            header.fields.get("warc-type").is_some_and(|kind| kind.eq_ignore_ascii_case("revisit"));
        let is_passed_over = is_revisit || self.is_second && !self.revisits.wants(&names);
        let mut block = Block::new(&mut self.input, header.length);
        // Only what is very large is decoded at once, as it is read.
        let raw = has_page(&header.fields) && header.length <= waiting::LARGEST as u64;
        let content = match raw {
            _ if is_passed_over => Ok(Content::Skipped("")),
            true => Err(bounded::read_bounded(&mut block, waiting::LARGEST).0),
            false => Ok(read_content(&header.fields, &mut block, &place, self.limit)),
        };
        if let Err(trouble) = block.finish() {
            return self.lose(trouble, &header.fields, offset);
        }
        match content {
            _ if is_revisit && !self.is_second => self.waiting.revisit(header.fields, place),
            _ if is_passed_over => {}
            Ok(content) => self.waiting.content(header.fields, place, content),
            Err(bytes) => self.waiting.raw(header.fields, place, bytes),
        }
    }

    fn lose(&mut self, trouble: Trouble, fields: &Fields, offset: u64) {
        self.state = State::Lost;
        if self.is_second {
            return;
        }
        self.waiting.problem(Place::of(fields, &self.name, offset).problem(trouble));
    }

    /// Damage on the way to the next record was reported when it began, but a limit is always named.
    fn report_bomb(&mut self) {
        let trouble = Trouble::of_input(&self.input);
        let is_limit = self.input.error().is_some_and(|error| error.kind() == io::ErrorKind::QuotaExceeded);
        if is_limit && !self.is_second {
            let place = Place::of(&Fields::default(), &self.name, self.input.offset());
            self.waiting.problem(place.problem(trouble));
        }
    }

    /// Goes to the next line that starts a record.
    fn resynchronise(&mut self) {
        let mut reported = self.input.error().is_some();
        loop {
            let found = self
                .input
                .fill()
                .map(|buffer| buffer.iter().position(|byte| *byte == b'\n').map(|at| at + 1));
            let line = match found {
                Ok(line) => line,
                Err(_) => {
                    if !reported {
                        self.report_bomb();
                    }
                    reported = false;
                    if self.input.recover() {
                        continue;
                    }
                    break;
                }
            };
            if self.input.may_start_record() && self.input.at_record() {
                self.state = State::Reading;
                return;
            }
            // Looking ahead may have moved the buffer, but not what is in it.
            let rest = self.input.fill().map_or(0, <[u8]>::len);
            if rest == 0 && self.input.error().is_none() {
                break;
            }
            self.input.consume(line.unwrap_or(rest).min(rest));
        }
        self.state = State::Done;
    }
}

/// All of one file: its pages, and behind them the pages that revisits mean.
pub(crate) struct WarcFile {
    path: PathBuf,
    pages: WarcPages,
}

impl WarcFile {
    pub(crate) fn open(path: &Path, name: String, limit: usize) -> io::Result<Self> {
        Ok(WarcFile { path: path.to_owned(), pages: WarcPages::open(path, name, limit)? })
    }
}

impl PageSource for WarcFile {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        loop {
            if let Some(item) = self.pages.next_record() {
                return Some(item);
            }
            let revisits = self.pages.revisits();
            let mut skipped = std::mem::take(self.pages.skipped());
            if !self.pages.is_second && !revisits.is_empty() {
                let (name, limit) = (self.pages.name.clone(), self.pages.limit);
                if let Ok(again) = WarcPages::open(&self.path, name, limit) {
                    self.pages = again.with(revisits.settled(), true);
                    self.pages.skipped().add(&mut skipped);
                    continue;
                }
            }
            skipped.count_some(LOST_REVISITS, revisits.left() as u64);
            return skipped.take_summary("records", &self.pages.name).map(Err);
        }
    }
}

/// Which record is being read, for pages and problems alike.
struct Place {
    reference: String,
    url: Option<String>,
    captured: Option<Moment>,
    offset: u64,
}

impl Place {
    fn of(fields: &Fields, name: &str, offset: u64) -> Place {
        let id = fields.get("warc-record-id").map(bare).filter(|id| !id.is_empty());
        Place {
            reference: id.unwrap_or_else(|| name.to_owned()),
            url: fields.get("warc-target-uri").map(bare).filter(|url| !url.is_empty()),
            captured: revisits::moment(fields),
            offset,
        }
    }

    fn problem(&self, trouble: Trouble) -> Problem {
        Problem {
            kind: trouble.kind,
            reference: self.reference.clone(),
            url: self.url.clone(),
            offset: Some(self.offset),
            message: trouble.message,
        }
    }
}

/// An address without the brackets around it.
fn bare(value: &str) -> String {
    value.trim().trim_start_matches('<').trim_end_matches('>').to_owned()
}

fn section_reader(path: &Path, base: u64, length: u64) -> io::Result<Box<dyn BufRead + Send>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(base))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, file.take(length))))
}

fn read_content(fields: &Fields, block: impl io::Read, place: &Place, limit: usize) -> Content {
    let kind = fields.get("warc-type").unwrap_or_default().to_ascii_lowercase();
    let block_type = fields.get("content-type");
    let mut reader = BufReader::new(block);
    match kind.as_str() {
        "response" => {
            if block_type.is_some_and(|block_type| essence(block_type) != "application/http") {
                return Content::Skipped("not HTML");
            }
            if block_type.is_some_and(|block_type| block_type.replace(' ', "").ends_with(";msgtype=request"))
            {
                return Content::Skipped("requests");
            }
            let response = match http::Response::read(&mut reader) {
                Ok(response) => response,
                Err(message) => return Content::Unreadable(Trouble::unreadable(message)),
            };
            if (300..400).contains(&response.status) {
                return Content::Skipped("redirects");
            }
            let content_type = response.content_type.as_deref();
            if may_be_html(content_type) == MayBe::No {
                return Content::Skipped("not HTML");
            }
            match response.body(reader) {
                Ok(body) => read_page(body, content_type, Some(response.status), place, limit),
                Err(message) => Content::Unreadable(Trouble::unreadable(message)),
            }
        }
        "resource" | "conversion" => {
            if may_be_html(block_type) == MayBe::No {
                return Content::Skipped("not HTML");
            }
            read_page(reader, block_type, None, place, limit)
        }
        "request" => Content::Skipped("requests"),
        "metadata" if block_type.is_some_and(|block_type| essence(block_type) == LAYOUT_TYPE) => {
            rendered::read_layout(reader).map_or(Content::Skipped("descriptions"), Content::Layout)
        }
        "warcinfo" | "metadata" => Content::Skipped("descriptions"),
        "continuation" => Content::Skipped("continuations"),
        "" => Content::Unreadable(Trouble::unreadable("the record has no WARC-Type")),
        _ => Content::Skipped("of unknown type"),
    }
}

fn read_page(
    body: impl io::Read,
    content_type: Option<&str>,
    status: Option<u16>,
    place: &Place,
    limit: usize,
) -> Content {
    let (bytes, end) = bounded::read_bounded(body, limit);
    if let (ReadEnd::Failed(error), true) = (&end, bytes.is_empty()) {
        let message = format!("the body cannot be decoded: {error}");
        return Content::Unreadable(Trouble { kind: bounded::problem_kind(error), message });
    }
    if bytes.is_empty() {
        return Content::Skipped("empty");
    }
    if may_be_html(content_type) == MayBe::Perhaps && !sniff::looks_like_html(&bytes) {
        return Content::Skipped("not HTML");
    }
    let Some(url) = place.url.clone() else {
        return Content::Unreadable(Trouble::unreadable("the record has no WARC-Target-URI"));
    };
    let page = RawPage {
        url,
        reference: place.reference.clone(),
        bytes,
        charset: content_type.and_then(http::charset),
        status,
        offset: Some(place.offset),
        captured: place.captured,
        layout: None,
    };
    let problem = match end {
        ReadEnd::Complete => None,
        ReadEnd::Limit => Some(bounded::page_cut(&page, limit)),
        ReadEnd::Failed(error) => Some(place.problem(Trouble {
            kind: match bounded::problem_kind(&error) {
                ProblemKind::Unreadable => ProblemKind::Truncated,
                kind => kind,
            },
            message: format!("only the first {} bytes of the page can be decoded: {error}", page.bytes.len()),
        })),
    };
    Content::Page(page, problem)
}

#[derive(PartialEq, Eq)]
enum MayBe {
    Yes,
    Perhaps,
    No,
}

fn may_be_html(content_type: Option<&str>) -> MayBe {
    match essence(content_type.unwrap_or_default()).as_str() {
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => MayBe::Yes,
        ""
        | "text/plain"
        | "text/xml"
        | "application/xml"
        | "application/octet-stream"
        | "unknown/unknown"
        | "application/unknown"
        | "*/*"
        | "text"
        | "html" => MayBe::Perhaps,
        _ => MayBe::No,
    }
}

fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
