//! One WARC record: its header, and its block as a bounded reader.

use std::io::{self, Read};

use unsite_dom::ProblemKind;

use super::fields::{self, Fields, FieldsEnd};
use super::input::{Input, Plausible};
use crate::sources::bounded;

/// What is wrong with a record.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) kind: ProblemKind,
    pub(crate) message: String,
}

impl Trouble {
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Trouble { kind: ProblemKind::Unreadable, message: message.into() }
    }

    pub(crate) fn truncated(message: impl Into<String>) -> Self {
        Trouble { kind: ProblemKind::Truncated, message: message.into() }
    }

    /// The error that the input stopped with.
    pub(crate) fn of_input(input: &Input) -> Self {
        match input.error() {
            Some(error) => Trouble {
                kind: bounded::problem_kind(error),
                message: format!("the record cannot be read: {error}"),
            },
            None => Trouble::truncated("the file ends inside the record"),
        }
    }
}

/// The named fields of a record.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) fields: Fields,
    pub(crate) length: u64,
}

impl Header {
    /// Reads from the `WARC/1.` line to the empty line; the fields are returned even if the length is bad.
    pub(crate) fn read(input: &mut Input) -> Result<Header, (Trouble, Fields)> {
        let (fields, end) = fields::read_fields(input, true);
        match end {
            FieldsEnd::Complete => {}
            FieldsEnd::TooLong => {
                let trouble = Trouble {
                    kind: ProblemKind::Limit,
                    message: format!("the record's header is longer than {} bytes", fields::LONGEST_HEADER),
                };
                return Err((trouble, fields));
            }
            FieldsEnd::EndOfInput => {
                return Err((Trouble::truncated("the file ends inside a record's header"), fields));
            }
            FieldsEnd::Failed => return Err((Trouble::of_input(input), fields)),
        }
        let length = match fields.get("content-length") {
            None => Err("the record has no Content-Length".to_owned()),
            Some(text) if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Err(format!("the record's Content-Length is not a number: {}", shortened(text)))
            }
            Some(text) => text.parse::<u64>().map_err(|_| {
                format!("the record's Content-Length is too large for any file: {}", shortened(text))
            }),
        };
        let length = match length {
            Ok(length) => length,
            Err(message) => return Err((Trouble::unreadable(message), fields)),
        };
        match input.plausible_length(length) {
            Plausible::Yes => Ok(Header { fields, length }),
            Plausible::BeyondEnd => {
                let message = format!("the record should have {length} bytes, but the file ends before");
                Err((Trouble::truncated(message), fields))
            }
            Plausible::NoRecordBehind => {
                let message =
                    format!("the record's Content-Length of {length} does not lead to the next record");
                Err((Trouble::unreadable(message), fields))
            }
        }
    }
}

/// The block of a record. It ends early, with a note in [`Block::cut`], if the file or the gzip member does.
pub(crate) struct Block<'a> {
    input: &'a mut Input,
    left: u64,
    cut: Option<Trouble>,
}

impl<'a> Block<'a> {
    pub(crate) fn new(input: &'a mut Input, length: u64) -> Self {
        Block { input, left: length, cut: None }
    }

    /// Passes over what was not read and the empty lines behind it, and says whether the record was whole.
    pub(crate) fn finish(mut self) -> Result<(), Trouble> {
        self.left -= self.input.seek_over(self.left);
        while self.left > 0 && self.cut.is_none() {
            let available = self.available();
            self.advance(available);
        }
        if let Some(trouble) = self.cut {
            return Err(trouble);
        }
        pass_blank(self.input);
        // A failure here belongs to what comes next and is met there.
        if self.input.at_record_or_its_rest() {
            return Ok(());
        }
        Err(Trouble::unreadable("there is more in the record than its Content-Length says"))
    }

    /// How many bytes of the block are buffered; zero at its end or where it is cut.
    fn available(&mut self) -> usize {
        if self.left == 0 || self.cut.is_some() {
            return 0;
        }
        let count = match self.input.fill() {
            Ok(buffer) => buffer.len(),
            Err(_) => 0,
        };
        if count == 0 {
            self.cut = Some(Trouble::of_input(self.input));
            return 0;
        }
        if self.input.at_new_member_with_record() {
            let message = format!("the record ends {} bytes before its Content-Length says", self.left);
            self.cut = Some(Trouble::truncated(message));
            return 0;
        }
        usize::try_from(self.left).unwrap_or(usize::MAX).min(count)
    }

    fn advance(&mut self, count: usize) {
        self.input.consume(count);
        self.left -= count as u64;
    }
}

impl Read for Block<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.available().min(out.len());
        if count > 0 {
            // `available` has just filled the buffer.
            let buffer = self.input.fill().unwrap_or_default();
            out[..count].copy_from_slice(&buffer[..count]);
            self.advance(count);
        }
        Ok(count)
    }
}

/// Passes over empty lines between records.
pub(crate) fn pass_blank(input: &mut Input) {
    while let Ok(buffer) = input.fill() {
        let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if blank == 0 {
            break;
        }
        input.consume(blank);
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
