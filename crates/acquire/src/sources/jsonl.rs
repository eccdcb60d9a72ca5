//! JSON Lines: one object a line with `url` and `html` (or `content`, or `body`), and perhaps `captured`: when that was.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use unsite_dom::{Moment, PageSource, Problem, ProblemKind, RawPage};

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

/// Lines that are taken apart together, on all cores, and their bytes: most of the time of reading goes into that.
const BATCH: usize = 128;
const BATCH_BYTES: usize = 4 << 20;

type Item = Result<RawPage, Problem>;

pub(crate) struct JsonLinesPages {
    lines: Option<Lines<Box<dyn BufRead + Send>>>,
    limit: usize,
    ready: VecDeque<Item>,
}

#[derive(Deserialize)]
struct PageLine {
    url: Option<Value>,
    html: Option<Value>,
    content: Option<Value>,
    body: Option<Value>,
    captured: Option<Value>,
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
        Ok(JsonLinesPages {
            lines: Some(Lines::new(reader, longest_line(limit))),
            limit,
            ready: VecDeque::new(),
        })
    }

    /// Takes the next lines apart. False at the end.
    fn fill(&mut self) -> bool {
        let Some(reader) = &mut self.lines else { return false };
        let (mut lines, mut bytes, mut failed) = (Vec::new(), 0, None);
        let mut is_over = false;
        while lines.len() < BATCH && bytes < BATCH_BYTES && !is_over {
            match reader.next_line() {
                Ok(Some(line)) => {
                    bytes += line.text.as_ref().map_or(0, Vec::len);
                    lines.push(line);
                }
                Ok(None) => is_over = true,
                Err(error) => {
                    failed = Some(Problem {
                        kind: bounded::problem_kind(&error),
                        reference: format!("line {}", reader.number()),
                        url: None,
                        offset: Some(reader.offset()),
                        message: format!("nothing can be read from here on: {error}"),
                    });
                    is_over = true;
                }
            }
        }
        if is_over {
            self.lines = None;
        }
        let limit = self.limit;
        let items: Vec<Vec<Item>> = lines.into_par_iter().map(|line| read_line(line, limit)).collect();
        self.ready.extend(items.into_iter().flatten());
        self.ready.extend(failed.map(Err));
        true
    }
}

/// What a line says: nothing if it is empty, a page, and a problem too where a page was cut.
fn read_line(line: Line, limit: usize) -> Vec<Item> {
    let reference = format!("line {}", line.number);
    let problem = |kind, message: String| Problem {
        kind,
        reference: reference.clone(),
        url: None,
        offset: Some(line.offset),
        message,
    };
    let Some(text) = line.text else {
        let longest = longest_line(limit);
        let message = format!("the line is longer than {longest} bytes and is passed over");
        return vec![Err(problem(ProblemKind::Limit, message))];
    };
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text).trim_ascii();
    if text.is_empty() {
        return Vec::new();
    }
    let (url, mut html, captured) = match parse(text) {
        Ok(page) => page,
        Err(message) => return vec![Err(problem(ProblemKind::Unreadable, message))],
    };
    let too_long = html.len() > limit;
    html.truncate(limit);
    let url = url.unwrap_or_else(|| saved_url::page_url(&html, &format!("line-{}", line.number)));
    // A JSON string is Unicode, whatever the page inside says about its encoding.
    let charset = Some("utf-8".to_owned());
    let offset = Some(line.offset);
    let page = RawPage { url, reference, bytes: html, charset, offset, captured, ..RawPage::default() };
    let cut = too_long.then(|| Err(bounded::page_cut(&page, limit)));
    std::iter::once(Ok(page)).chain(cut).collect()
}

impl PageSource for JsonLinesPages {
    fn next_page(&mut self) -> Option<Item> {
        while self.ready.is_empty() && self.fill() {}
        self.ready.pop_front()
    }
}

type Parsed = (Option<String>, Vec<u8>, Option<Moment>);

fn parse(text: &[u8]) -> Result<Parsed, String> {
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
    let captured = match line.captured {
        None | Some(Value::Null) => None,
        Some(value) => Some(moment(&value).ok_or_else(|| {
            format!("captured is {value}, which is no moment; write it as \"2019-01-02T03:04:05Z\"")
        })?),
    };
    let string = |value: Option<Value>| match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let html = string(line.html).or(string(line.content)).or(string(line.body));
    match html {
        Some(html) if html.is_empty() => Err("the page is empty".to_owned()),
        Some(html) => Ok((string(line.url).filter(|url| !url.is_empty()), html.into_bytes(), captured)),
        None => Err(format!("the line has no text under html, content or body; {EXPECTED}")),
    }
}

/// A text, or a number of seconds or milliseconds since 1970; fourteen digits are those of Wayback either way.
fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::String(text) => Moment::parse(text),
        Value::Number(number) => {
            Moment::parse(&number.to_string()).or_else(|| Moment::from_unix(number.as_f64()? as i64))
        }
        _ => None,
    }
}
