//! The files in a tar stream, one after another, without seeking and without trusting its sizes.

use std::io::{self, Read};

const BLOCK: usize = 512;

/// Names longer than this are not names; extended headers beyond it are passed over.
const LONGEST_EXTENSION: u64 = 1 << 20;

/// Reads headers and hands out the bytes between them.
pub(crate) struct TarStream<R> {
    reader: R,
    /// Bytes of the current file that nobody has read yet.
    left: u64,
    /// Bytes that fill up its last block.
    padding: u64,
}

/// A regular file's header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) size: u64,
}

impl<R: Read> TarStream<R> {
    pub(crate) fn new(reader: R) -> Self {
        TarStream { reader, left: 0, padding: 0 }
    }

    /// The next regular file; what was left of the one before is passed over. `None` at the end.
    pub(crate) fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        let mut long_name = None;
        loop {
            self.pass_over()?;
            let mut header = [0; BLOCK];
            let got = read_full(&mut self.reader, &mut header)?;
            if got == 0 || (got == BLOCK && header.iter().all(|byte| *byte == 0)) {
                return Ok(None);
            }
            if got < BLOCK {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends inside a header"));
            }
            self.left = checked_size(&header)?;
            self.padding = (BLOCK as u64 - self.left % BLOCK as u64) % BLOCK as u64;
            match header[156] {
                b'L' => {
                    long_name =
                        Some(self.extension()?.split(|byte| *byte == 0).next().unwrap_or(b"").to_vec())
                }
                b'x' => long_name = pax_path(&self.extension()?).or(long_name),
                b'0' | 0 | b'7' => {
                    let name = long_name.take().unwrap_or_else(|| short_name(&header));
                    let name = String::from_utf8_lossy(&name);
                    let name = name.trim_start_matches("./").to_owned();
                    return Ok(Some(Entry { name, size: self.left }));
                }
                // A global extended header or an unknown block does not belong to the next file; folders and links have no bytes.
                b'g' => {}
                _ => long_name = None,
            }
        }
    }

    fn extension(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.by_ref().take(LONGEST_EXTENSION).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn pass_over(&mut self) -> io::Result<()> {
        let rest = self.left.saturating_add(self.padding);
        (self.left, self.padding) = (0, 0);
        let passed = io::copy(&mut self.reader.by_ref().take(rest), &mut io::sink())?;
        if passed < rest {
            return Err(ends_inside_file());
        }
        Ok(())
    }
}

/// The bytes of the current file.
impl<R: Read> Read for TarStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.reader.read(&mut buffer[..wanted])?;
        if count == 0 {
            return Err(ends_inside_file());
        }
        self.left -= count as u64;
        Ok(count)
    }
}

fn ends_inside_file() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends inside a file")
}

fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match reader.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(count) => got += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

/// The size field, after the header's checksum has shown that this is a header.
fn checked_size(header: &[u8; BLOCK]) -> io::Result<u64> {
    let sum: u64 = header
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u64::from(*byte) })
        .sum();
    if octal(&header[148..156]) != Some(sum) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the archive has a damaged tar header"));
    }
    let field = &header[124..136];
    let size = if field[0] & 0x80 != 0 {
        // GNU's binary form for sizes that do not fit into eleven octal digits.
        let high = field[..4].iter().skip(1).any(|byte| *byte != 0) || field[0] != 0x80;
        let low = field[4..].iter().fold(0, |size, byte| size << 8 | u64::from(*byte));
        (!high).then_some(low)
    } else {
        octal(field)
    };
    size.ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidData, "the archive has a tar header with a bad size")
    })
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = field.split(|byte| *byte == 0).next()?.trim_ascii();
    text.iter().try_fold(0u64, |value, byte| {
        let digit = (b'0'..=b'7').contains(byte).then(|| u64::from(byte - b'0'))?;
        value.checked_mul(8)?.checked_add(digit)
    })
}

fn short_name(header: &[u8; BLOCK]) -> Vec<u8> {
    let until_zero = |field: &[u8]| field.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
    let name = until_zero(&header[..100]);
    let prefix = if &header[257..263] == b"ustar\0" { until_zero(&header[345..500]) } else { Vec::new() };
    if prefix.is_empty() { name } else { [prefix, name].join(&b'/') }
}

/// The `path` of a pax header, whose records read `length key=value\n`.
fn pax_path(mut records: &[u8]) -> Option<Vec<u8>> {
    loop {
        let space = records.iter().position(|byte| *byte == b' ')?;
        let length: usize = std::str::from_utf8(&records[..space]).ok()?.parse().ok()?;
        let record = records.get(space + 1..length)?;
        if let Some(path) = record.strip_prefix(b"path=") {
            return Some(path.strip_suffix(b"\n").unwrap_or(path).to_vec());
        }
        records = &records[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn files_are_read_or_passed_over() {
        let long = format!("pages/{}.html", "x".repeat(200));
        let bytes = archive(&[("a", b"one"), (&long, &[7; 1000]), ("pages/c", b"")]);
        let mut tar = TarStream::new(&bytes[..]);
        assert_eq!(tar.next_entry().unwrap().unwrap(), Entry { name: "a".into(), size: 3 });
        let second = tar.next_entry().unwrap().unwrap();
        assert_eq!((second.name, second.size), (long, 1000));
        let mut content = Vec::new();
        tar.read_to_end(&mut content).unwrap();
        assert_eq!(content, [7; 1000]);
        assert_eq!(tar.next_entry().unwrap().unwrap().name, "pages/c");
        assert_eq!(tar.next_entry().unwrap(), None);
    }

    #[test]
    fn a_cut_archive_is_an_error_and_not_a_hang() {
        let bytes = archive(&[("a", &[1; 700]), ("b", &[2; 700])]);
        for length in 0..bytes.len() {
            let mut tar = TarStream::new(&bytes[..length]);
            for _ in 0..4 {
                match tar.next_entry() {
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => break,
                }
            }
        }
    }
}
