//! One zstd stream that is read from its beginning to its end.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::bounded::{self, Counted};
use super::zstd_frames::{HIGHEST_ZSTD_RATIO, LARGEST_WINDOW_LOG};

/// A zstd file that is not allowed to grow without bounds.
pub(crate) struct ZstdFile {
    decoder: zstd::stream::read::Decoder<'static, BufReader<Counted<File>>>,
    produced: u64,
}

impl ZstdFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut decoder = zstd::stream::read::Decoder::new(Counted::new(File::open(path)?))?;
        decoder.window_log_max(LARGEST_WINDOW_LOG)?;
        Ok(ZstdFile { decoder, produced: 0 })
    }
}

impl Read for ZstdFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.produced += count as u64;
        bounded::check_ratio(self.decoder.get_ref().get_ref().position(), self.produced, HIGHEST_ZSTD_RATIO)?;
        Ok(count)
    }
}
