//! Gzip streams of one or many members, with a bound on how far they may grow.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::bounded;
use super::members::Members;
use super::rewind::Rewind;

/// Deflate cannot exceed 1032:1. HTML reaches about 20:1 and a page of repeated rows about 100:1, so that only
/// made-up data lies above this.
pub(crate) const HIGHEST_GZIP_RATIO: u64 = 250;

const MEMBER_START_BYTE: u8 = 0x1f;
const MEMBER_START: [u8; 3] = [MEMBER_START_BYTE, 0x8b, 0x08];

/// Reads the members one after another and knows where each starts.
pub(crate) struct GzipMembers<R: BufRead> {
    state: State<R>,
    member_start: u64,
    produced: u64,
    /// Up to here members were looked for after an error. No byte is searched twice.
    searched: u64,
}

enum State<R: BufRead> {
    Between(Rewind<R>),
    Inside(Box<GzDecoder<Rewind<R>>>),
    /// Only while ownership moves from one state to the other.
    Moving,
}

impl<R: BufRead> GzipMembers<R> {
    pub(crate) fn new(reader: R) -> Self {
        GzipMembers { state: State::Between(Rewind::new(reader)), member_start: 0, produced: 0, searched: 0 }
    }

    fn enter(&mut self, raw: Rewind<R>) {
        self.member_start = raw.position();
        self.produced = 0;
        self.state = State::Inside(Box::new(GzDecoder::new(raw)));
    }

    fn take_raw(&mut self) -> Rewind<R> {
        match std::mem::replace(&mut self.state, State::Moving) {
            State::Between(raw) => raw,
            State::Inside(decoder) => decoder.into_inner(),
            State::Moving => unreachable!("the state is always put back"),
        }
    }
}

impl<R: BufRead> Members for GzipMembers<R> {
    fn member_start(&self) -> u64 {
        self.member_start
    }

    /// Zero padding between members is allowed.
    fn next_member(&mut self) -> io::Result<bool> {
        let mut raw = self.take_raw();
        let next = next_byte_after_zeros(&mut raw);
        match next {
            Ok(Some(MEMBER_START_BYTE)) => {
                self.enter(raw);
                Ok(true)
            }
            Ok(Some(_)) => {
                // Nothing is consumed: what follows may still start a member a few bytes on.
                self.member_start = raw.position();
                self.state = State::Between(raw);
                Err(io::Error::new(io::ErrorKind::InvalidData, "there is something that is not gzip"))
            }
            Ok(None) | Err(_) => {
                self.state = State::Between(raw);
                next.map(|_| false)
            }
        }
    }

    fn read_member(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let State::Inside(decoder) = &mut self.state else { return Ok(0) };
        let count = decoder.read(buffer)?;
        self.produced += count as u64;
        let read = decoder.get_ref().position() - self.member_start;
        bounded::check_ratio(read, self.produced, HIGHEST_GZIP_RATIO)?;
        Ok(count)
    }

    /// The decoder may have run from a cut member into the next one, so the search starts behind the first byte of
    /// the bad member as far as it is still at hand.
    fn resynchronise(&mut self) -> io::Result<bool> {
        let mut raw = self.take_raw();
        let reached = raw.position();
        raw.go_back(self.searched.max(self.member_start.saturating_add(1)));
        self.searched = self.searched.max(reached);
        // At least one byte goes by each time, or a bad member would be tried for ever.
        let found = pass_one_if(&mut raw, reached <= self.member_start)
            .and_then(|()| find_start(&mut raw, &MEMBER_START));
        if let Ok(true) = found {
            self.enter(raw);
        } else {
            self.state = State::Between(raw);
        }
        found
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.read_member(buffer)?;
            if count > 0 || buffer.is_empty() || !self.next_member()? {
                return Ok(count);
            }
        }
    }
}

fn next_byte_after_zeros(raw: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = raw.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        let next = buffer.get(zeros).copied();
        raw.consume(zeros);
        if next.is_some() {
            return Ok(next);
        }
    }
}

pub(crate) fn pass_one_if(raw: &mut impl BufRead, wanted: bool) -> io::Result<()> {
    if wanted && !raw.fill_buf()?.is_empty() {
        raw.consume(1);
    }
    Ok(())
}

/// Stops before the next bytes that start a member. A match cut by the end of the buffer is left to the decoder to judge.
pub(crate) fn find_start(raw: &mut impl BufRead, start: &[u8]) -> io::Result<bool> {
    loop {
        let buffer = raw.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let found = (0..buffer.len()).find(|at| {
            let rest = &buffer[*at..];
            let length = rest.len().min(start.len());
            rest[..length] == start[..length]
        });
        match found {
            Some(at) => {
                raw.consume(at);
                return Ok(true);
            }
            None => {
                let all = buffer.len();
                raw.consume(all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_are_read_one_after_another() {
        let first = member(b"one ");
        let bytes = [first.clone(), vec![0; 7], member(b"two")].concat();
        let mut text = String::new();
        let mut members = GzipMembers::new(&bytes[..]);
        members.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
        assert_eq!(members.member_start(), first.len() as u64 + 7);
    }

    #[test]
    fn a_damaged_member_does_not_hide_the_next() {
        let mut first = member(&[7; 5000]);
        let middle = first.len() / 2;
        first[middle] ^= 0xff;
        let bytes = [first, member(b"good")].concat();
        let mut members = GzipMembers::new(&bytes[..]);
        assert!(io::copy(&mut members, &mut io::sink()).is_err());
        let mut text = String::new();
        while members.resynchronise().unwrap() {
            if members.read_to_string(&mut text).is_ok() {
                break;
            }
            text.clear();
        }
        assert_eq!(text, "good");
    }
}
