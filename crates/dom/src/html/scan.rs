//! Characters to tags, and the ends of what is no tag.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::Parser;
use super::element::Tag;
use super::entity;
use super::key::{Key, slot};
use crate::builder::MAX_ATTRIBUTES;
use crate::tree::Attr;

/// One tag of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) tag: Tag,
    /// What the tree calls it; [`NAMELESS`] for an end tag of something that never began.
    pub(super) name: u16,
    /// Where its attributes are.
    pub(super) attrs: (u32, u32),
    pub(super) self_closing: bool,
}

/// Where the value of an attribute stands.
struct Value {
    start: usize,
    end: usize,
    has_reference: bool,
}

pub(super) const NAMELESS: u16 = u16::MAX;

/// Names of attributes that the page has had, by their keys; a newer one takes the place of an older.
pub(super) const RECENT_NAMES: usize = 128;

/// What a byte is inside a tag.
const SPACE: u8 = 1;
const ENDS_NAME: u8 = 2;
const CAPITAL: u8 = 4;
const ENDS_UNQUOTED: u8 = 8;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | 0x0C => SPACE | ENDS_NAME | ENDS_UNQUOTED,
            b'>' => ENDS_NAME | ENDS_UNQUOTED,
            b'/' | b'=' => ENDS_NAME,
            b'A'..=b'Z' => CAPITAL,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

impl<'p> Parser<'p> {
    /// Reads the tag that starts at `self.at`, whose name is `skip` bytes on. `None` when the page ends inside it.
    pub(super) fn read_tag(&mut self, skip: usize, is_end: bool) -> Option<Token> {
        let bytes = self.html.as_bytes();
        let start = self.at + skip;
        let mut at = start;
        let mut capitals = false;
        // A tag's name ends at what an attribute's name ends at, but for the equals sign.
        loop {
            let &byte = bytes.get(at)?;
            let class = class(byte);
            if class & ENDS_NAME != 0 && byte != b'=' {
                break;
            }
            capitals |= class & CAPITAL != 0;
            at += 1;
        }
        let end = at;
        self.tag_name = start..end;
        let first = self.arena.attrs.len();
        let self_closing = self.read_attributes(&mut at, is_end)?;
        self.at = at;
        let attrs = (first as u32, (self.arena.attrs.len() - first) as u32);
        let (tag, name) = self.element(start, end, capitals, is_end);
        Some(Token { tag, name, attrs, self_closing })
    }

    fn element(&mut self, start: usize, end: usize, capitals: bool, is_end: bool) -> (Tag, u16) {
        let html = self.html;
        let lower;
        let (key, name) = if capitals {
            lower = html[start..end].to_ascii_lowercase();
            (Key::of(lower.as_bytes()), lower.as_str())
        } else {
            (Key::at_start(&html.as_bytes()[start..], end - start), &html[start..end])
        };
        let tag = key.map_or(Tag::Other, |key| self.elements.find(key));
        let name = match tag {
            Tag::Other if is_end => self.arena.names.find(name).unwrap_or(NAMELESS),
            Tag::Other => self.intern(name),
            _ if is_end => NAMELESS,
            tag => self.name_of(tag),
        };
        (tag, name)
    }

    /// Reads attributes up to the end of the tag and says whether it closes itself. Those of end tags are passed over.
    fn read_attributes(&mut self, at: &mut usize, pass_over: bool) -> Option<bool> {
        let html = self.html;
        let bytes = html.as_bytes();
        let first = self.arena.attrs.len();
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
            let start = *at;
            let mut capitals = class(byte) & CAPITAL != 0;
            // An equals sign at the very start belongs to the name.
            *at += 1;
            let end = loop {
                let class = class(*bytes.get(*at)?);
                if class & ENDS_NAME != 0 {
                    break *at;
                }
                capitals |= class & CAPITAL != 0;
                *at += 1;
            };
            let value = self.value_range(at)?;
            if pass_over {
                continue;
            }
            let name = self.attribute_name(start, end, capitals);
            let have = &self.arena.attrs[first..];
            if have.len() >= MAX_ATTRIBUTES {
                self.gave_up = true;
                return None;
            }
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

    fn attribute_name(&mut self, start: usize, end: usize, capitals: bool) -> u16 {
        let html = self.html;
        if capitals {
            return self.intern(&html[start..end].to_ascii_lowercase());
        }
        let Some(key) = Key::at_start(&html.as_bytes()[start..], end - start) else {
            return self.intern(&html[start..end]);
        };
        let slot = slot(key, RECENT_NAMES);
        let (known, name) = self.recent_names[slot];
        if known == key {
            return name;
        }
        let name = self.intern(&html[start..end]);
        self.recent_names[slot] = (key, name);
        name
    }

    /// Passes over a comment that starts at `self.at`.
    pub(super) fn skip_comment(&mut self) {
        let start = self.at + "<!--".len();
        let rest = &self.html.as_bytes()[start..];
        if rest.starts_with(b">") {
            self.at = start + 1;
        } else if rest.starts_with(b"->") {
            self.at = start + 2;
        } else {
            self.at = comment_end(rest).map_or(self.html.len(), |end| start + end);
        }
    }

    /// Passes over everything up to the next `>`.
    pub(super) fn skip_declaration(&mut self) {
        self.at =
            memchr(b'>', &self.html.as_bytes()[self.at..]).map_or(self.html.len(), |end| self.at + end + 1);
    }

    /// Where the text of an element whose tags are not read ends: at its own end tag, or with the page.
    pub(super) fn raw_end(&self, name: &str) -> usize {
        let bytes = self.html.as_bytes();
        let mut at = self.at;
        while let Some(next) = memmem::find(&bytes[at..], b"</") {
            at += next;
            if ends_element(&bytes[at..], name) {
                return at;
            }
            at += 2;
        }
        bytes.len()
    }

    /// The same for a script, where `<!-- <script>` hides an end tag.
    pub(super) fn script_end(&self) -> usize {
        let bytes = self.html.as_bytes();
        let mut at = self.at;
        loop {
            let Some(next) = memchr(b'<', &bytes[at..]) else { return bytes.len() };
            at += next;
            let rest = &bytes[at..];
            if ends_element(rest, "script") {
                return at;
            }
            if !rest.starts_with(b"<!--") {
                at += 1;
                continue;
            }
            match escaped_end(bytes, at + "<!--".len()) {
                Escaped::Over(after) => at = after,
                Escaped::EndTag(end) => return end,
            }
        }
    }
}

/// The end of a comment, `-->` or `--!>`, by the byte that is rarer in comments than dashes.
fn comment_end(text: &[u8]) -> Option<usize> {
    memchr_iter(b'>', text)
        .find(|&at| text[..at].ends_with(b"--") || text[..at].ends_with(b"--!"))
        .map(|at| at + 1)
}

/// How the part of a script that looks like a comment ends.
enum Escaped {
    /// With `-->`; the script goes on behind it.
    Over(usize),
    /// With the end tag of the script, or with the page.
    EndTag(usize),
}

fn escaped_end(bytes: &[u8], start: usize) -> Escaped {
    let mut at = start;
    // The dashes of `<!--` count.
    let mut dashes = 2;
    // Inside a script element written in the comment.
    let mut doubly = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'-' => dashes += 1,
            b'>' if dashes >= 2 => return Escaped::Over(at + 1),
            b'<' => {
                dashes = 0;
                if ends_element(&bytes[at..], "script") {
                    if !doubly {
                        return Escaped::EndTag(at);
                    }
                    doubly = false;
                } else if begins_script(&bytes[at..]) {
                    doubly = true;
                }
            }
            _ => dashes = 0,
        }
        at += 1;
    }
    Escaped::EndTag(bytes.len())
}

/// Whether the end tag of an element starts here.
fn ends_element(rest: &[u8], name: &str) -> bool {
    rest.strip_prefix(b"</").is_some_and(|rest| is_called(rest, name))
}

fn begins_script(rest: &[u8]) -> bool {
    is_called(&rest[1..], "script")
}

fn is_called(rest: &[u8], name: &str) -> bool {
    rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        && rest.get(name.len()).is_some_and(|&byte| class(byte) & SPACE != 0 || matches!(byte, b'/' | b'>'))
}
