//! A reader that can go back over what it read last.

use std::io::{self, BufRead, Read};

/// How far back one can go. A gzip decoder that runs from a cut member into the next notices it well within this.
const KEPT_BYTES: usize = 64 << 10;

/// Keeps the most recent bytes and knows its position.
#[derive(Debug)]
pub(crate) struct Rewind<R> {
    inner: R,
    /// The last bytes taken from `inner`.
    recent: Vec<u8>,
    /// Where in `recent` reading goes on; at its end when nothing is read again.
    again: usize,
    /// Bytes taken from `inner` so far.
    taken: u64,
}

impl<R: BufRead> Rewind<R> {
    pub(crate) fn new(inner: R) -> Self {
        Rewind { inner, recent: Vec::new(), again: 0, taken: 0 }
    }

    pub(crate) fn position(&self) -> u64 {
        self.taken - (self.recent.len() - self.again) as u64
    }

    /// Goes back to `position`, or as near as possible. It never goes forward.
    pub(crate) fn go_back(&mut self, position: u64) {
        let back = self.taken.saturating_sub(position).min(self.recent.len() as u64);
        self.again = self.again.min(self.recent.len() - back as usize);
    }
}

impl<R: BufRead> BufRead for Rewind<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.again < self.recent.len() {
            return Ok(&self.recent[self.again..]);
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if self.again < self.recent.len() {
            self.again += count;
            return;
        }
        // The buffer is filled, or there would be nothing to consume.
        if let Ok(buffer) = self.inner.fill_buf() {
            let count = count.min(buffer.len());
            self.recent.extend_from_slice(&buffer[..count]);
            self.inner.consume(count);
            self.taken += count as u64;
        }
        if self.recent.len() > 2 * KEPT_BYTES {
            self.recent.drain(..self.recent.len() - KEPT_BYTES);
        }
        self.again = self.recent.len();
    }
}

impl<R: BufRead> Read for Rewind<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn what_was_read_last_can_be_read_again() {
        let bytes: Vec<u8> = (0..1_000_000u32).map(|n| (n % 251) as u8).collect();
        let mut reader = Rewind::new(BufReader::with_capacity(1000, &bytes[..]));
        let mut part = vec![0; 500_000];
        reader.read_exact(&mut part).unwrap();
        reader.go_back(499_000);
        assert_eq!(reader.position(), 499_000);
        reader.go_back(499_500);
        assert_eq!(reader.position(), 499_000, "going back never goes forward");
        reader.go_back(0);
        let from = reader.position();
        assert!((500_000 - 2 * KEPT_BYTES as u64..=500_000 - KEPT_BYTES as u64).contains(&from));
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, bytes[from as usize..]);
    }
}
