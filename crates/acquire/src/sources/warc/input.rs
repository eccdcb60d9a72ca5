//! The bytes of a WARC file, plain, in gzip members or in zstd frames, with the offset that each record has in the file.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;

use crate::sources::gzip::GzipMembers;
use crate::sources::members::Members;
use crate::sources::zstd_frames::ZstdFrames;

const BUFFER_BYTES: usize = 64 << 10;

/// How far behind a record's end the next one is looked for; the standard puts four bytes between them.
const LONGEST_SEPARATOR: usize = 64;

/// A buffered input that never mixes two compressed members in its buffer, so that the offset is known at every byte.
pub(crate) struct Input {
    raw: Raw,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset of the next byte, for an input that is not compressed.
    position: u64,
    error: Option<io::Error>,
    line_start: bool,
    member_start: bool,
}

enum Raw {
    /// A part of a file, with a second handle to look ahead without losing the place.
    Section {
        file: File,
        ahead: File,
        base: u64,
        length: u64,
    },
    Stream(Box<dyn Read + Send>),
    /// Gzip members or zstd frames.
    Members(Box<dyn Members + Send>),
}

/// Reading failed; [`Input::error`] says why and stays until [`Input::recover`].
#[derive(Debug)]
pub(crate) struct Failed;

impl Input {
    pub(crate) fn gzip(reader: Box<dyn BufRead + Send>) -> Self {
        Input::new(Raw::Members(Box::new(GzipMembers::new(reader))))
    }

    pub(crate) fn zstd(reader: Box<dyn BufRead + Send>) -> io::Result<Self> {
        Ok(Input::new(Raw::Members(Box::new(ZstdFrames::new(reader)?))))
    }

    /// An uncompressed input that cannot be sought in.
    pub(crate) fn stream(reader: Box<dyn Read + Send>) -> Self {
        Input::new(Raw::Stream(reader))
    }

    /// An uncompressed part of a file.
    pub(crate) fn section(path: &Path, base: u64, length: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(base))?;
        Ok(Input::new(Raw::Section { file, ahead: File::open(path)?, base, length }))
    }

    fn new(raw: Raw) -> Self {
        Input {
            raw,
            buffer: vec![0; BUFFER_BYTES],
            start: 0,
            end: 0,
            position: 0,
            error: None,
            line_start: true,
            member_start: true,
        }
    }

    /// Where the next byte is in the file: its own offset, or that of the compressed member it is in.
    pub(crate) fn offset(&self) -> u64 {
        match &self.raw {
            Raw::Members(members) => members.member_start(),
            _ => self.position,
        }
    }

    /// What is buffered, after making sure that it is not nothing; empty at the end of the file.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Failed> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.read_more(true)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    pub(crate) fn consume(&mut self, count: usize) {
        if count > 0 {
            self.start += count;
            self.position += count as u64;
            self.line_start = self.buffer[self.start - 1] == b'\n';
            self.member_start = false;
        }
    }

    /// Whether a record's first line is next.
    pub(crate) fn at_record(&mut self) -> bool {
        let start = self.peek(8);
        starts_record(start)
    }

    /// Whether a record's first line is next, or what the end of the file has left of it.
    pub(crate) fn at_record_or_its_rest(&mut self) -> bool {
        may_become_record(self.peek(8))
    }

    /// Whether what is next begins a line or a member, where alone a record can begin.
    pub(crate) fn may_start_record(&self) -> bool {
        self.line_start || self.member_start
    }

    /// Whether a new member with a new record has begun: then the record before is over, whatever its length says.
    pub(crate) fn at_new_member_with_record(&mut self) -> bool {
        self.member_start && matches!(self.raw, Raw::Members(_)) && self.at_record()
    }

    /// Whether the file can hold a block of `length` bytes here with a record or the end of the file behind it.
    /// Only a plain file can be asked; the others answer yes and are checked afterwards.
    pub(crate) fn plausible_length(&mut self, length: u64) -> Plausible {
        let Raw::Section { ahead, base, length: all, .. } = &mut self.raw else { return Plausible::Yes };
        let Some(end) = self.position.checked_add(length).filter(|end| *end <= *all) else {
            return Plausible::BeyondEnd;
        };
        let mut next = Vec::new();
        let room = (*all - end).min((LONGEST_SEPARATOR + 8) as u64);
        let read =
            ahead.seek(SeekFrom::Start(*base + end)).and_then(|_| ahead.take(room).read_to_end(&mut next));
        let next = next.trim_ascii_start();
        match read {
            Ok(_) if may_become_record(next) => Plausible::Yes,
            Ok(_) => Plausible::NoRecordBehind,
            // The ordinary way of reading will meet the error too, and say so.
            Err(_) => Plausible::Yes,
        }
    }

    /// Passes over up to `count` bytes of a plain file without reading them; how many it was.
    pub(crate) fn seek_over(&mut self, count: u64) -> u64 {
        let Raw::Section { file, length, .. } = &mut self.raw else { return 0 };
        let buffered = (self.end - self.start) as u64;
        let room = length.saturating_sub(self.position);
        let count = count.min(room);
        if count <= buffered {
            return 0;
        }
        let Ok(step) = i64::try_from(count - buffered) else { return 0 };
        if file.seek(SeekFrom::Current(step)).is_err() {
            return 0;
        }
        (self.start, self.end) = (0, 0);
        self.position += count;
        count
    }

    pub(crate) fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// After a failure: goes to the next member that could be one. `false` if there is none or no such thing.
    pub(crate) fn recover(&mut self) -> bool {
        self.error = None;
        (self.start, self.end) = (0, 0);
        self.member_start = true;
        match &mut self.raw {
            Raw::Members(members) => members.resynchronise().unwrap_or(false),
            _ => false,
        }
    }

    fn peek(&mut self, count: usize) -> &[u8] {
        while self.end - self.start < count {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            let before = self.end;
            let fresh = before == 0;
            if self.read_more(fresh).is_err() || self.end == before {
                break;
            }
        }
        &self.buffer[self.start..self.end]
    }

    /// Appends to the buffer; only an empty one may go on to the next member.
    fn read_more(&mut self, next_member: bool) -> Result<(), Failed> {
        if self.error.is_some() {
            return Err(Failed);
        }
        let result = loop {
            match self.read_raw(next_member) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match result {
            Ok(count) => {
                self.end += count;
                Ok(())
            }
            Err(error) => {
                self.error = Some(error);
                Err(Failed)
            }
        }
    }

    fn read_raw(&mut self, next_member: bool) -> io::Result<usize> {
        let room = &mut self.buffer[self.end..];
        match &mut self.raw {
            Raw::Section { file, length, .. } => {
                let left = length.saturating_sub(self.position + (self.end - self.start) as u64);
                file.take(left).read(room)
            }
            Raw::Stream(reader) => reader.read(room),
            Raw::Members(members) => loop {
                let count = members.read_member(room)?;
                if count > 0 || !next_member || !members.next_member()? {
                    return Ok(count);
                }
                self.member_start = true;
            },
        }
    }
}

/// Whether a record may have the length that it claims.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plausible {
    Yes,
    BeyondEnd,
    NoRecordBehind,
}

/// `WARC/1.0`, `WARC/1.1` and the drafts before them.
fn starts_record(text: &[u8]) -> bool {
    text.len() >= 8
        && text.starts_with(b"WARC/")
        && matches!(text[5], b'0' | b'1')
        && text[6] == b'.'
        && text[7].is_ascii_digit()
}

/// The start of a record, or as much of it as there is: a file may end inside these eight bytes.
fn may_become_record(text: &[u8]) -> bool {
    if text.len() >= 8 { starts_record(text) } else { b"WARC/1.".starts_with(&text[..text.len().min(7)]) }
}

/// For reading header lines.
impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.fill().is_err() {
            let kind = self.error.as_ref().map_or(io::ErrorKind::Other, io::Error::kind);
            return Err(kind.into());
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        Input::consume(self, count);
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        Input::consume(self, count);
        Ok(count)
    }
}
