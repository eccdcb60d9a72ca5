//! Lines of a stream, in bounded memory.

use std::io::{self, BufRead};

use memchr::memchr;

/// A line and where it starts. Lines count from one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    /// The text without its line end, or `None` if it is longer than the limit.
    pub(crate) text: Option<Vec<u8>>,
}

/// Splits a reader into lines of at most `limit` bytes; longer ones are passed over without being kept.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    limit: usize,
    number: u64,
    offset: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Lines { reader, limit, number: 0, offset: 0 }
    }

    /// Where the next line starts.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the line that was begun last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, or `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        let start = self.offset;
        let mut text = Some(Vec::new());
        self.number += 1;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok((self.offset > start).then_some(Line {
                    number: self.number,
                    offset: start,
                    text,
                }));
            }
            let end = memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            if let Some(kept) = &mut text {
                if kept.len() + part.len() > self.limit {
                    text = None;
                } else {
                    kept.extend_from_slice(part);
                }
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            self.offset += used as u64;
            if end.is_some() {
                return Ok(Some(Line { number: self.number, offset: start, text }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn long_lines_are_passed_over_and_counted() {
        let text = b"ab\n\nabcdef\nxyz";
        let mut lines = Lines::new(BufReader::with_capacity(2, &text[..]), 3);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            seen.push((line.number, line.offset, line.text));
        }
        let expected = vec![
            (1, 0, Some(b"ab".to_vec())),
            (2, 3, Some(Vec::new())),
            (3, 4, None),
            (4, 11, Some(b"xyz".to_vec())),
        ];
        assert_eq!(seen, expected);
    }
}
