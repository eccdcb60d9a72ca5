//! Reading with an upper bound, whatever the input claims about its size.

use std::io::{self, BufRead, Read};

use unsite_dom::{Problem, ProblemKind, RawPage};

/// A decompressed stream may grow this far before its ratio is looked at. Nothing of it is kept beyond the limits, so that
/// a bomb below it costs less than a second, and what stands behind a page that is too large is read.
pub(crate) const RATIO_GRACE_BYTES: u64 = 256 << 20;

/// How a bounded read ended.
#[derive(Debug)]
pub(crate) enum ReadEnd {
    Complete,
    /// There was more than the limit; the first `limit` bytes were kept.
    Limit,
    /// The reader failed; what came before is kept.
    Failed(io::Error),
}

/// Reads at most `limit` bytes and says whether that was all.
pub(crate) fn read_bounded(mut reader: impl Read, limit: usize) -> (Vec<u8>, ReadEnd) {
    let mut bytes = Vec::new();
    let wanted = (limit as u64).saturating_add(1);
    let result = reader.by_ref().take(wanted).read_to_end(&mut bytes);
    let end = match result {
        Err(error) => ReadEnd::Failed(error),
        Ok(_) if bytes.len() > limit => ReadEnd::Limit,
        Ok(_) => ReadEnd::Complete,
    };
    bytes.truncate(limit);
    (bytes, end)
}

/// What is said when a page was cut at its limit.
pub(crate) fn page_cut(page: &RawPage, limit: usize) -> Problem {
    Problem {
        kind: ProblemKind::Limit,
        reference: page.reference.clone(),
        url: Some(page.url.clone()),
        offset: page.offset,
        message: format!("the page is larger than the limit; only its first {limit} bytes are used"),
    }
}

/// Tells a decompression bomb by what came out against what went in.
pub(crate) fn check_ratio(read: u64, produced: u64, highest: u64) -> io::Result<()> {
    if produced > RATIO_GRACE_BYTES && produced / read.max(1) > highest {
        let message = format!(
            "{read} compressed bytes grew to more than {produced}: this looks like a decompression bomb and is not read further"
        );
        return Err(io::Error::new(io::ErrorKind::QuotaExceeded, message));
    }
    Ok(())
}

/// The kind of problem that an error of a reader is. Behind a bomb there may be pages that nobody has read, so that it is
/// not merely a limit.
pub(crate) fn problem_kind(error: &io::Error) -> ProblemKind {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ProblemKind::Truncated,
        _ => ProblemKind::Unreadable,
    }
}

/// A reader that knows how many bytes were taken from it.
#[derive(Debug)]
pub(crate) struct Counted<R> {
    inner: R,
    position: u64,
}

impl<R> Counted<R> {
    pub(crate) fn new(inner: R) -> Self {
        Counted { inner, position: 0 }
    }

    pub(crate) fn position(&self) -> u64 {
        self.position
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
        self.inner.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_exact() {
        assert!(matches!(read_bounded(&b"12345"[..], 5), (bytes, ReadEnd::Complete) if bytes == b"12345"));
        assert!(matches!(read_bounded(&b"123456"[..], 5), (bytes, ReadEnd::Limit) if bytes == b"12345"));
        assert!(matches!(read_bounded(io::repeat(0), 7), (bytes, ReadEnd::Limit) if bytes.len() == 7));
        assert!(matches!(read_bounded(&b"12"[..], usize::MAX), (_, ReadEnd::Complete)));
    }
}
