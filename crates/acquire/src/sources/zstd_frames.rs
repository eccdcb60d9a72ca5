//! Zstandard streams of one or many frames, as WARC files have them, with a bound on how far they may grow.
//!
//! # What it does
//! Reads the frames one after another and knows where each starts. A dictionary that stands at the beginning, in a
//! skippable frame of its own, serves all frames behind it; other skippable frames are passed over.
//!
//! # Assumes
//! A record starts where a frame starts, as with gzip members.
//!
//! # When it fails
//! A dictionary that is kept outside the file is asked for and cannot be given.
//!
//! # Paper
//! RFC 8878; the dictionary is that of the proposal “Zstandard compression for WARC files” of the IIPC.

use std::io::{self, BufRead, Read};

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::DParameter;

use super::bounded;
use super::gzip::{find_start, pass_one_if};
use super::members::Members;
use super::rewind::Rewind;
use super::sniff::ZSTD_MAGIC;

/// Similar pages in one zstd window reach a few hundred to one; zeros reach thirty thousand.
pub(crate) const HIGHEST_ZSTD_RATIO: u64 = 2000;

/// 128 MiB, what the zstd program itself accepts without being asked.
pub(crate) const LARGEST_WINDOW_LOG: u32 = 27;

/// The skippable frame that holds a dictionary for the frames behind it.
pub(crate) const DICTIONARY_MAGIC: &[u8] = &[0x5d, 0x2a, 0x4d, 0x18];

/// Dictionaries are about 100 KiB; the largest that writers make is 1 MiB.
const LARGEST_DICTIONARY: usize = 16 << 20;

/// Reads the frames one after another and knows where each starts.
pub(crate) struct ZstdFrames<R: BufRead> {
    raw: Rewind<R>,
    decoder: Decoder<'static>,
    inside: bool,
    frame_start: u64,
    produced: u64,
    /// Up to here frames were looked for after an error. No byte is searched twice.
    searched: u64,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(crate) fn new(reader: R) -> io::Result<Self> {
        Ok(ZstdFrames {
            raw: Rewind::new(reader),
            decoder: decoder(&[])?,
            inside: false,
            frame_start: 0,
            produced: 0,
            searched: 0,
        })
    }

    fn enter(&mut self) -> io::Result<()> {
        self.frame_start = self.raw.position();
        self.produced = 0;
        self.inside = true;
        self.decoder.reinit()
    }

    /// A frame that is not data: a dictionary, or something to pass over.
    fn skippable(&mut self, magic: [u8; 4]) -> io::Result<()> {
        let mut length = [0; 4];
        self.raw.read_exact(&mut length)?;
        let length = u64::from(u32::from_le_bytes(length));
        if magic == DICTIONARY_MAGIC {
            if length > LARGEST_DICTIONARY as u64 {
                return Err(invalid(format!("a dictionary of {length} bytes is more than is read")));
            }
            let mut bytes = Vec::new();
            self.raw.by_ref().take(length).read_to_end(&mut bytes)?;
            self.decoder = decoder(&dictionary(bytes)?)?;
        } else {
            io::copy(&mut self.raw.by_ref().take(length), &mut io::sink())?;
        }
        Ok(())
    }
}

impl<R: BufRead> Members for ZstdFrames<R> {
    fn member_start(&self) -> u64 {
        self.frame_start
    }

    fn next_member(&mut self) -> io::Result<bool> {
        loop {
            let start = self.raw.position();
            let mut magic = [0; 4];
            match read_full(&mut self.raw, &mut magic)? {
                0 => return Ok(false),
                4 => {}
                _ => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a zstd frame is cut")),
            }
            if magic == ZSTD_MAGIC {
                self.raw.go_back(start);
                return self.enter().map(|()| true);
            }
            // 0x184D2A50 to 0x184D2A5F, little-endian.
            if magic[0] & 0xf0 != 0x50 || magic[1..] != DICTIONARY_MAGIC[1..] {
                self.raw.go_back(start);
                self.frame_start = start;
                return Err(invalid("there is something that is not zstd".into()));
            }
            self.skippable(magic)?;
        }
    }

    fn read_member(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.inside && !buffer.is_empty() {
            let available = self.raw.fill_buf()?;
            let at_end = available.is_empty();
            let mut input = InBuffer::around(available);
            let mut output = OutBuffer::around(&mut *buffer);
            let hint = self.decoder.run(&mut input, &mut output).map_err(explained)?;
            let (taken, count) = (input.pos(), output.pos());
            self.raw.consume(taken);
            self.inside = hint != 0;
            self.produced += count as u64;
            let read = self.raw.position() - self.frame_start;
            bounded::check_ratio(read, self.produced, HIGHEST_ZSTD_RATIO)?;
            if count > 0 {
                return Ok(count);
            }
            if at_end && self.inside && taken == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a zstd frame is cut"));
            }
        }
        Ok(0)
    }

    fn resynchronise(&mut self) -> io::Result<bool> {
        let reached = self.raw.position();
        self.raw.go_back(self.searched.max(self.frame_start.saturating_add(1)));
        self.searched = self.searched.max(reached);
        self.inside = false;
        pass_one_if(&mut self.raw, reached <= self.frame_start)?;
        let found = find_start(&mut self.raw, ZSTD_MAGIC)?;
        if found {
            self.enter()?;
        }
        Ok(found)
    }
}

fn decoder(dictionary: &[u8]) -> io::Result<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary)?;
    decoder.set_parameter(DParameter::WindowLogMax(LARGEST_WINDOW_LOG))?;
    Ok(decoder)
}

/// The dictionary itself may be compressed.
fn dictionary(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !bytes.starts_with(ZSTD_MAGIC) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(&bytes[..])?;
    decoder.take(LARGEST_DICTIONARY as u64).read_to_end(&mut plain)?;
    Ok(plain)
}

fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match reader.read(&mut buffer[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// What to do where the decoder only says that dictionaries do not match.
fn explained(error: io::Error) -> io::Error {
    let said = error.to_string();
    if said.to_ascii_lowercase().contains("dictionary") {
        return invalid(format!(
            "{said}: it was compressed with a dictionary that the file does not hold; \
             decompress it with `zstd -d -D DICTIONARY` first"
        ));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skippable(magic: &[u8], content: &[u8]) -> Vec<u8> {
        [magic, &(content.len() as u32).to_le_bytes(), content].concat()
    }

    fn read_all(bytes: &[u8]) -> io::Result<(Vec<String>, Vec<u64>)> {
        let mut frames = ZstdFrames::new(bytes)?;
        let (mut texts, mut starts) = (Vec::new(), Vec::new());
        while frames.next_member()? {
            starts.push(frames.member_start());
            let mut text = Vec::new();
            let mut part = [0; 7];
            loop {
                let count = frames.read_member(&mut part)?;
                if count == 0 {
                    break;
                }
                text.extend_from_slice(&part[..count]);
            }
            texts.push(String::from_utf8(text).unwrap());
        }
        Ok((texts, starts))
    }

    #[test]
    fn frames_are_read_one_after_another() {
        let one = zstd::encode_all(&b"the first record"[..], 3).unwrap();
        let gap = skippable(&[0x50, 0x2a, 0x4d, 0x18], b"anything");
        let two = zstd::encode_all(&b""[..], 3).unwrap();
        let three = zstd::encode_all(&b"the third"[..], 3).unwrap();
        let bytes = [one.clone(), gap.clone(), two.clone(), three].concat();
        let (texts, starts) = read_all(&bytes).unwrap();
        assert_eq!(texts, ["the first record", "", "the third"]);
        let second = (one.len() + gap.len()) as u64;
        assert_eq!(starts, [0, second, second + two.len() as u64]);
    }

    #[test]
    fn a_dictionary_at_the_start_serves_all_frames() {
        let words =
            b"WARC/1.1 record of http://site.test/ with many words that come again and again".repeat(3);
        let text = b"WARC/1.1 record of http://site.test/ with many words, the third".to_vec();
        let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &words).unwrap();
        let frame = compressor.compress(&text).unwrap();
        assert!(frame.len() < text.len() / 2, "the dictionary is used");
        for stored in [words.clone(), zstd::encode_all(&words[..], 3).unwrap()] {
            let bytes = [&skippable(DICTIONARY_MAGIC, &stored)[..], &frame, &frame].concat();
            let (texts, _) = read_all(&bytes).unwrap();
            assert_eq!(texts, vec![String::from_utf8(text.clone()).unwrap(); 2]);
        }
        // A frame that names dictionary 5 and holds "abc".
        let needs = [ZSTD_MAGIC, &[0x21, 5, 3, 0x19, 0, 0], b"abc"].concat();
        let message = read_all(&needs).unwrap_err().to_string();
        assert!(message.contains("zstd -d -D"), "{message}");
    }

    #[test]
    fn a_damaged_frame_does_not_hide_the_next() {
        let mut one = zstd::encode_all(&[7; 5000].map(|n: u8| n.wrapping_mul(31))[..], 3).unwrap();
        one.truncate(one.len() - 4);
        let bytes = [one, zstd::encode_all(&b"good"[..], 3).unwrap()].concat();
        let mut frames = ZstdFrames::new(&bytes[..]).unwrap();
        assert!(frames.next_member().unwrap());
        let mut part = [0; 10_000];
        while let Ok(1..) = frames.read_member(&mut part) {}
        let mut found = Vec::new();
        while found != b"good" && frames.resynchronise().unwrap() {
            found.clear();
            while let Ok(count @ 1..) = frames.read_member(&mut part) {
                found.extend_from_slice(&part[..count]);
            }
        }
        assert_eq!(found, b"good");
    }

    #[test]
    fn what_is_no_zstd_or_cut_is_said() {
        assert!(read_all(b"nothing of the kind").unwrap_err().to_string().contains("not zstd"));
        let whole = zstd::encode_all(&b"a record that is cut"[..], 3).unwrap();
        let error = read_all(&whole[..whole.len() - 3]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        let huge = skippable(DICTIONARY_MAGIC, &[]);
        let huge = [&huge[..4], &u32::MAX.to_le_bytes()[..]].concat();
        assert!(read_all(&huge).is_err());
    }
}
