//! The attributes of a tag.

use memchr::{memchr, memchr2};

use super::Parser;
use super::entity;
use super::key::{Key, SPREAD};
use super::scan::{ENDS_UNQUOTED, Name, SPACE, class};
use crate::builder::MAX_ATTRIBUTES;
use crate::tree::Attr;

/// Where the value of an attribute stands.
struct Value {
    start: usize,
    end: usize,
    has_reference: bool,
}

/// Names of attributes that the page has had, by their keys; a newer one takes the place of an older.
pub(super) const RECENT_NAMES: usize = 128;

/// Runs of attributes that the page has had, likewise: most tags of a page are written like one before them.
pub(super) const RECENT_RUNS: usize = 256;

/// The attributes of a tag, as they are written and as they were read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    /// Where they stand on the page, with the end of the tag; empty before there are any.
    start: u32,
    end: u32,
    attrs: (u32, u32),
    self_closing: bool,
}

/// Where a run of attributes is remembered: by how it begins, or by all of it where it is short. `None` at the very end of
/// the page.
fn place(rest: &[u8]) -> Option<usize> {
    let words = rest.first_chunk::<24>()?;
    let word = |at: usize| words[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (first, second) = (word(0), word(8));
    let mixed = match (up_to_end(first), up_to_end(second)) {
        (Some(first), _) => first,
        (None, Some(second)) => first.wrapping_mul(SPREAD) ^ second,
        (None, None) => first.wrapping_mul(SPREAD) ^ second ^ word(16).rotate_left(32),
    };
    Some((mixed.wrapping_mul(SPREAD) >> 40) as usize % RECENT_RUNS)
}

/// The bytes of a word without those behind the end of a tag; `None` where it does not end here.
fn up_to_end(word: u64) -> Option<u64> {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let ends = word ^ (EACH * b'>' as u64);
    // The highest bit of the first byte that is 0, and perhaps of later ones.
    let zeros = ends.wrapping_sub(EACH) & !ends & (EACH << 7);
    (zeros != 0).then(|| word & (zeros ^ (zeros - 1)))
}

impl Parser<'_> {
    /// The attributes from `at`, where the name of the tag ends, to the end of the tag, and whether it closes itself. Tags
    /// whose attributes are written alike share them. Those of end tags are passed over.
    pub(super) fn attributes(&mut self, at: &mut usize, is_end: bool) -> Option<((u32, u32), bool)> {
        let first = self.arena.attrs.len();
        let start = *at;
        let bytes = self.html.as_bytes();
        if is_end {
            return self.read_attributes(at, true).map(|closing| ((first as u32, 0), closing));
        }
        let place = place(&bytes[start..]);
        let known = place.map_or(Run::default(), |place| self.recent_runs[place]);
        let written = &bytes[known.start as usize..known.end as usize];
        if !written.is_empty() && bytes[start..].starts_with(written) {
            *at = start + written.len();
            return Some((known.attrs, known.self_closing));
        }
        let self_closing = self.read_attributes(at, false)?;
        let attrs = (first as u32, (self.arena.attrs.len() - first) as u32);
        if let Some(place) = place {
            self.recent_runs[place] = Run { start: start as u32, end: *at as u32, attrs, self_closing };
        }
        Some((attrs, self_closing))
    }

    /// Reads attributes up to the end of the tag and says whether it closes itself. Those of end tags are passed over.
    fn read_attributes(&mut self, at: &mut usize, pass_over: bool) -> Option<bool> {
        let html = self.html;
        let bytes = html.as_bytes();
        let first = self.arena.attrs.len();
        let mut written = 0;
        loop {
            let &byte = bytes.get(*at)?;
            match byte {
                b'>' => {
                    *at += 1;
                    return Some(false);
                }
                b'/' => {
                    *at += 1;
                    if *bytes.get(*at)? == b'>' {
                        *at += 1;
                        return Some(true);
                    }
                    continue;
                }
                _ if class(byte) & SPACE != 0 => {
                    *at += 1;
                    continue;
                }
                _ => {}
            }
            // An equals sign at the very start belongs to the name.
            let start = *at;
            let name = Name::read(bytes, start, |_| true)?;
            *at = name.end;
            let value = self.value_range(at)?;
            if pass_over {
                continue;
            }
            // As html5ever gets them: what is written counts, also a name that is there already.
            written += 1;
            if written > MAX_ATTRIBUTES {
                self.gave_up = true;
                return None;
            }
            let name = self.attribute_name(start, name);
            let have = &self.arena.attrs[first..];
            if have.iter().any(|attr| attr.name == name) {
                continue;
            }
            let text = &mut self.arena.text;
            let from = text.len();
            if value.has_reference {
                entity::push_decoded(text, &html[value.start..value.end], true);
            } else {
                text.push_str(&html[value.start..value.end]);
            }
            let len = (text.len() - from) as u32;
            self.arena.attrs.push(Attr { name, start: from as u32, len });
        }
    }

    /// The value of the attribute whose name ends at `at`.
    fn value_range(&self, at: &mut usize) -> Option<Value> {
        let bytes = self.html.as_bytes();
        let after_name = *at;
        let skip_spaces = |mut at: usize| {
            while class(*bytes.get(at)?) & SPACE != 0 {
                at += 1;
            }
            Some(at)
        };
        let equals = skip_spaces(after_name)?;
        if bytes[equals] != b'=' {
            *at = equals;
            return Some(Value { start: after_name, end: after_name, has_reference: false });
        }
        let start = skip_spaces(equals + 1)?;
        match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let (start, rest) = (start + 1, &bytes[start + 1..]);
                let first = memchr2(quote, b'&', rest)?;
                let has_reference = rest[first] == b'&';
                let length = if has_reference { first + memchr(quote, &rest[first..])? } else { first };
                *at = start + length + 1;
                Some(Value { start, end: start + length, has_reference })
            }
            _ => {
                let length = bytes[start..].iter().position(|&byte| class(byte) & ENDS_UNQUOTED != 0)?;
                *at = start + length;
                let has_reference = memchr(b'&', &bytes[start..*at]).is_some();
                Some(Value { start, end: *at, has_reference })
            }
        }
    }

    fn attribute_name(&mut self, start: usize, name: Name) -> u16 {
        let html = self.html;
        let written = &html[start..name.end];
        if name.capitals {
            return self.intern(&written.to_ascii_lowercase());
        }
        let Some(key) = name.key.or_else(|| Key::of(written.as_bytes())) else {
            return self.intern(written);
        };
        let slot = key.slot(RECENT_NAMES);
        let (known, id) = self.recent_names[slot];
        if known == key {
            return id;
        }
        let id = self.intern(written);
        self.recent_names[slot] = (key, id);
        id
    }
}
