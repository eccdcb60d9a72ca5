//! Characters to tags, and the ends of what is no tag.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

use super::Parser;
use super::element::Tag;
use super::key::Key;

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

pub(super) const NAMELESS: u16 = u16::MAX;

/// What a byte is inside a tag.
pub(super) const SPACE: u8 = 1;
pub(super) const ENDS_NAME: u8 = 2;
pub(super) const ENDS_UNQUOTED: u8 = 4;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | 0x0C => SPACE | ENDS_NAME | ENDS_UNQUOTED,
            b'>' => ENDS_NAME | ENDS_UNQUOTED,
            b'/' | b'=' => ENDS_NAME,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

pub(super) fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

/// A name inside a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub(super) end: usize,
    pub(super) capitals: bool,
    /// Where it is short and made of small letters.
    pub(super) key: Option<Key>,
}

impl Name {
    /// Reads the name at `start`, which is at least one byte, up to a byte that ends names if `ends` says so too. `None`
    /// when the page ends inside it.
    #[inline]
    pub(super) fn read(page: &[u8], start: usize, ends: impl Fn(u8) -> bool) -> Option<Name> {
        let is_end = |byte: u8| class(byte) & ENDS_NAME != 0 && ends(byte);
        if let Some((length, key)) = Key::of_letters(&page[start..])
            && length > 0
            && is_end(page[start + length])
        {
            return Some(Name { end: start + length, capitals: false, key: Some(key) });
        }
        let length = page.get(start + 1..)?.iter().position(|&byte| is_end(byte))?;
        let end = start + 1 + length;
        let capitals = page[start..end].iter().any(u8::is_ascii_uppercase);
        Some(Name { end, capitals, key: None })
    }
}

impl<'p> Parser<'p> {
    /// Reads the tag that starts at `self.at`, whose name is `skip` bytes on. `None` when the page ends inside it.
    pub(super) fn read_tag(&mut self, skip: usize, is_end: bool) -> Option<Token> {
        let bytes = self.html.as_bytes();
        let start = self.at + skip;
        let name = Name::read(bytes, start, |byte| byte != b'=')?;
        let mut at = name.end;
        self.tag_name = start..at;
        let (attrs, self_closing) = match bytes[at] {
            b'>' => {
                at += 1;
                ((0, 0), false)
            }
            _ => self.attributes(&mut at, is_end)?,
        };
        self.at = at;
        let (tag, name) = self.element(start, name, is_end);
        Some(Token { tag, name, attrs, self_closing })
    }

    fn element(&mut self, start: usize, name: Name, is_end: bool) -> (Tag, u16) {
        let html = self.html;
        let mut called = Cow::Borrowed(&html[start..name.end]);
        if name.capitals {
            called.to_mut().make_ascii_lowercase();
        }
        let tag = name.key.map_or_else(|| Tag::called(called.as_bytes()), Tag::of_key);
        let name = match tag {
            Tag::Other if is_end => self.arena.names.find(&called).unwrap_or(NAMELESS),
            Tag::Other => self.intern(&called),
            _ if is_end => NAMELESS,
            tag => self.name_of(tag),
        };
        (tag, name)
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
