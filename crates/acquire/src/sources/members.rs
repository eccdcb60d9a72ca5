//! What compressed archives have in common: parts that can be read on their own, one for each record.

use std::io;

/// Gzip members or zstd frames, one after another.
pub(crate) trait Members {
    /// Where the current member starts in the compressed stream.
    fn member_start(&self) -> u64;

    /// Goes on to the next member; `false` at the end of the stream.
    fn next_member(&mut self) -> io::Result<bool>;

    /// Bytes of the current member only; zero at its end.
    fn read_member(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    /// After an error: looks for the next bytes that could start a member. `false` at the end of the stream.
    fn resynchronise(&mut self) -> io::Result<bool>;
}
