//! JSON Lines: one object a line with `url` and `html` (or `content`, or `body`).

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use super::bounded;
use super::gzip::GzipMembers;
use super::lines::{Line, Lines};
use super::zstd_file::ZstdFile;
use super::{saved_url, sniff};

/// JSON writes a line feed or a quote as two bytes and three bytes of UTF-8 as six, so that a page at its limit fits into
/// a line of twice its size; more happens only to control characters.
const ESCAPED_SIZE: usize = 2;

/// Room for everything in a line that is not the page.
const OTHER_KEYS_BYTES: usize = 64 << 10;

/// The longest line that can hold a page of `page_bytes`.
pub(crate) fn longest_line(page_bytes: usize) -> usize {
    page_bytes.saturating_mul(ESCAPED_SIZE).saturating_add(OTHER_KEYS_BYTES)
}

pub(crate) struct JsonLinesPages {
    lines: Option<Lines<Box<dyn BufRead + Send>>>,
    limit: usize,
    pending: Option<Problem>,
}

#[derive(Deserialize)]
struct PageLine {
    url: Option<Value>,
    html: Option<Value>,
    content: Option<Value>,
    body: Option<Value>,
}

impl JsonLinesPages {
    pub(crate) fn open(path: &Path, limit: usize) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(64 << 10, File::open(path)?);
        let reader: Box<dyn BufRead + Send> = if file.fill_buf()?.starts_with(sniff::GZIP_MAGIC) {
            Box::new(BufReader::with_capacity(64 << 10, GzipMembers::new(file)))
        } else if file.fill_buf()?.starts_with(sniff::ZSTD_MAGIC) {
            Box::new(BufReader::with_capacity(64 << 10, ZstdFile::open(path)?))
        } else {
            Box::new(file)
        };
        Ok(JsonLinesPages { lines: Some(Lines::new(reader, longest_line(limit))), limit, pending: None })
    }

    fn read_line(&mut self, line: Line) -> Option<Result<RawPage, Problem>> {
        let reference = format!("line {}", line.number);
        let problem = |kind, message: String| Problem {
            kind,
            reference: reference.clone(),
            url: None,
            offset: Some(line.offset),
            message,
        };
        let Some(text) = line.text else {
            let longest = longest_line(self.limit);
            let message = format!("the line is longer than {longest} bytes and is passed over");
            return Some(Err(problem(ProblemKind::Limit, message)));
        };
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text).trim_ascii();
        if text.is_empty() {
            return None;
        }
        let (url, mut html) = match parse(text) {
            Ok(page) => page,
            Err(message) => return Some(Err(problem(ProblemKind::Unreadable, message))),
        };
        let too_long = html.len() > self.limit;
        html.truncate(self.limit);
        let url = url.unwrap_or_else(|| saved_url::page_url(&html, &format!("line-{}", line.number)));
        // A JSON string is Unicode, whatever the page inside says about its encoding.
        let charset = Some("utf-8".to_owned());
        let offset = Some(line.offset);
        let page = RawPage { url, reference, bytes: html, charset, offset, ..RawPage::default() };
        if too_long {
            self.pending = Some(bounded::page_cut(&page, self.limit));
        }
        Some(Ok(page))
    }
}

impl PageSource for JsonLinesPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        if let Some(problem) = self.pending.take() {
            return Some(Err(problem));
        }
        loop {
            let lines = self.lines.as_mut()?;
            match lines.next_line() {
                Ok(Some(line)) => {
                    if let Some(item) = self.read_line(line) {
                        return Some(item);
                    }
                }
                Ok(None) => self.lines = None,
                Err(error) => {
                    let problem = Problem {
                        kind: bounded::problem_kind(&error),
                        reference: format!("line {}", lines.number()),
                        url: None,
                        offset: Some(lines.offset()),
                        message: format!("nothing can be read from here on: {error}"),
                    };
                    self.lines = None;
                    return Some(Err(problem));
                }
            }
        }
    }
}

fn parse(text: &[u8]) -> Result<(Option<String>, Vec<u8>), String> {
    const EXPECTED: &str = "expected an object like {\"url\": \"...\", \"html\": \"...\"}";
    if std::str::from_utf8(text).is_err() {
        return Err("the line is not UTF-8, which JSON has to be; convert the file, for example with iconv"
            .to_owned());
    }
    if !text.starts_with(b"{") {
        return Err(format!("the line is not a JSON object; {EXPECTED}"));
    }
    let line: PageLine =
        serde_json::from_slice(text).map_err(|error| format!("the line is not valid JSON: {error}"))?;
    let string = |value: Option<Value>| match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let html = string(line.html).or(string(line.content)).or(string(line.body));
    match html {
        Some(html) if html.is_empty() => Err("the page is empty".to_owned()),
        Some(html) => Ok((string(line.url).filter(|url| !url.is_empty()), html.into_bytes())),
        None => Err(format!("the line has no text under html, content or body; {EXPECTED}")),
    }
}
