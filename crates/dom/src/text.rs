//! The text that a reader of the page would see.

use std::borrow::Cow;

use crate::bytes::{any_byte, any_pair, find_pair};
use crate::names::Role;
use crate::tree::{Attr, NodeId, Tree};
use crate::two_attributes::TwoAttrNames;

/// A text node that is not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text node.
    pub node: NodeId,
    /// What it says, white space collapsed. Never empty.
    pub text: Cow<'a, str>,
    /// Below an element with `hidden` or an inline `display:none`. Scripts may show it later, so it can
    /// still be data.
    pub hidden: bool,
}

/// Every run of white space (no-break and other Unicode spaces too) becomes one space; none is left at the ends.
///
/// ```
/// assert_eq!(unsite_dom::collapse(" 12\u{a0}\n EUR "), "12 EUR");
/// ```
pub fn collapse(text: &str) -> Cow<'_, str> {
    collapse_trimmed(trim(text))
}

/// [`collapse`] of what has no white space at its ends.
fn collapse_trimmed(trimmed: &str) -> Cow<'_, str> {
    let Some(at) = first_uneven(trimmed) else { return Cow::Borrowed(trimmed) };
    let mut collapsed = String::with_capacity(trimmed.len());
    // What came before is fine, but for the space that may have just gone by.
    collapsed.push_str(trimmed[..at].trim_end());
    push_collapsed(&mut collapsed, &trimmed[at..]);
    Cow::Owned(collapsed)
}

/// Where the first white space stands that is not a single space, in a text without any at its ends.
fn first_uneven(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_odd =
        |one: u8, next: u8| is_control_space(one) | may_start_space(one) | ((one == b' ') & (next == b' '));
    let mut from = 0;
    while let Some(at) = find_pair(bytes, from, is_odd) {
        match bytes[at] {
            b' ' => return Some(at + 1),
            byte if is_control_space(byte) || space_at(text, at) > 0 => return Some(at),
            // Another sign, mostly a quotation mark or a dash.
            _ => from = at + 1,
        }
    }
    None
}

/// Shorter texts are looked at byte by byte.
const SHORT_INDENT: usize = 16;

/// [`str::trim`], fast on what templates indent with.
pub(crate) fn trim(text: &str) -> &str {
    // Most texts have nothing around them.
    if let ([first, ..], [.., last]) = (text.as_bytes(), text.as_bytes())
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return text;
    }
    let is_indent = |byte: u8| (byte == b' ') | (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    // Long indents are passed over in a few steps.
    let is_indented = text.len() > SHORT_INDENT && !any_byte(text.as_bytes(), |byte| !is_indent(byte));
    let trimmed = if is_indented { "" } else { text.trim_ascii() };
    let is_plain = |byte: Option<&u8>| byte.is_none_or(|&byte| byte.is_ascii() && byte != b'\x0b');
    match is_plain(trimmed.as_bytes().first()) && is_plain(trimmed.as_bytes().last()) {
        true => trimmed,
        false => trimmed.trim(),
    }
}

/// Nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    trim(text).is_empty()
}

/// How many bytes of a text are such. Short sums of single bytes let many of them be looked at in one step.
///
/// ```
/// assert_eq!(unsite_dom::count_bytes("a, b, c", |byte| byte == b','), 2);
/// ```
pub fn count_bytes(text: &str, is_such: impl Fn(u8) -> bool) -> usize {
    let within = |bytes: &[u8]| usize::from(bytes.iter().map(|&byte| u8::from(is_such(byte))).sum::<u8>());
    text.as_bytes().chunks(128).map(within).sum()
}

fn push_collapsed(to: &mut String, text: &str) {
    let mut push = |word: &str| {
        if !to.is_empty() {
            to.push(' ');
        }
        to.push_str(word);
    };
    let (mut start, mut at) = (0, 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        let space = match byte {
            b' ' => 1,
            _ if is_control_space(byte) => 1,
            _ if may_start_space(byte) => space_at(text, at),
            _ => 0,
        };
        if space > 0 && start < at {
            push(&text[start..at]);
        }
        at += space.max(1);
        if space > 0 {
            start = at;
        }
    }
    if start < text.len() {
        push(&text[start..]);
    }
}

/// How many bytes the character that begins here has, if it is white space.
fn space_at(text: &str, at: usize) -> usize {
    text[at..].chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
}

/// All white space outside ASCII begins with one of these bytes.
fn may_start_space(byte: u8) -> bool {
    (byte == 0xC2) | (0xE1..=0xE3).contains(&byte)
}

/// Tabs and ends of lines.
fn is_control_space(byte: u8) -> bool {
    (b'\t'..=b'\r').contains(&byte)
}

/// Walks text nodes in document order, passing over what is not rendered.
struct Walk<'a> {
    tree: &'a Tree,
    hiding: Hiding,
    next: u32,
    end: u32,
    hidden_until: u32,
    /// Inside a drawing until here, and inside one of its texts until there.
    drawing_until: u32,
    drawing_text_until: u32,
    /// A blank text lies between the last text and this one: `<b>a</b> <i>b</i>`.
    blank_passed: bool,
}

impl<'a> Walk<'a> {
    fn over(tree: &'a Tree) -> Self {
        Walk { hiding: Hiding::of_page(tree), ..Walk::below(tree, NodeId::DOCUMENT) }
    }

    fn below(tree: &'a Tree, node: NodeId) -> Self {
        let first = if tree.is_text(node) { node.0 } else { node.0 + 1 };
        Walk {
            tree,
            hiding: Hiding::Names(hiding_names(tree)),
            next: first,
            end: tree.end(node).0,
            hidden_until: 0,
            drawing_until: 0,
            drawing_text_until: 0,
            blank_passed: false,
        }
    }

    /// The next text that is not blank, without white space at its ends. Elements on the way are told to `passing`.
    #[inline]
    fn next_text(&mut self, mut passing: impl FnMut(NodeId, Role)) -> Option<(NodeId, &'a str)> {
        self.blank_passed = false;
        while self.next < self.end {
            let node = NodeId(self.next);
            self.next += 1;
            if self.tree.is_text(node) {
                let in_drawing = node.0 < self.drawing_until && node.0 >= self.drawing_text_until;
                if !in_drawing {
                    let text = trim(self.tree.text(node));
                    if !text.is_empty() {
                        return Some((node, text));
                    }
                    self.blank_passed = true;
                }
                continue;
            }
            let end = self.tree.end(node).0;
            let role = self.tree.names.role(self.tree.name_id(node));
            match role {
                Role::Skipped => self.next = end,
                Role::Drawing => self.drawing_until = self.drawing_until.max(end),
                Role::DrawingText => self.drawing_text_until = self.drawing_text_until.max(end),
                _ => {}
            }
            if node.0 >= self.hidden_until && self.hiding.hides(self.tree, node) {
                self.hidden_until = end;
            }
            passing(node, role);
        }
        None
    }
}

/// What tells whether an element hides what is in it.
enum Hiding {
    /// The names of the attributes that do, for those who look at some elements.
    Names(TwoAttrNames),
    /// How many attributes that do stand before each place, for those who look at every element.
    Before(Vec<u32>),
}

fn hiding_names(tree: &Tree) -> TwoAttrNames {
    tree.two_attr_names("hidden", "style")
}

impl Hiding {
    fn of_page(tree: &Tree) -> Self {
        let (hidden, style) = (tree.names.find("hidden"), tree.names.find("style"));
        let hides = |attr: &Attr| {
            let name = Some(attr.name);
            name == hidden || (name == style && is_display_none(tree.slice(attr.start, attr.len)))
        };
        let mut before = Vec::with_capacity(tree.attr_places());
        let mut count = 0;
        before.push(count);
        before.extend(tree.attrs.iter().map(|attr| {
            count += u32::from(hides(attr));
            count
        }));
        Hiding::Before(before)
    }

    fn hides(&self, tree: &Tree, element: NodeId) -> bool {
        match self {
            Hiding::Names(names) => {
                let (hidden, style) = tree.two_attrs(element, *names);
                hidden.is_some() || style.is_some_and(is_display_none)
            }
            Hiding::Before(before) => {
                let (start, count) = tree.attr_place(element);
                before[start] != before[start + count]
            }
        }
    }
}

/// An inline style that sets `display` to `none`; the last declaration counts.
fn is_display_none(style: &str) -> bool {
    // Few styles have two letters of `display`.
    if !any_pair(style.as_bytes(), |one, next| (one | 0x20 == b'a') & (next | 0x20 == b'y')) {
        return false;
    }
    let mut none = false;
    for declaration in style.split(';') {
        if let Some((property, value)) = declaration.split_once(':')
            && property.trim().eq_ignore_ascii_case("display")
        {
            let value = value.split(['!', ' ']).find(|part| !part.is_empty()).unwrap_or("");
            none = value.trim().eq_ignore_ascii_case("none");
        }
    }
    none
}

impl Tree {
    /// Text nodes in document order, white space collapsed, blank ones left out. What is never rendered
    /// (`head`, `script`, `style`, `template`, the value of a `textarea`, fallbacks of media, drawings but
    /// for their texts) is passed over; what is merely hidden is marked. `noscript` is read: the page is
    /// seen without scripts.
    pub fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        let mut walk = Walk::over(self);
        std::iter::from_fn(move || {
            let (node, text) = walk.next_text(|_, _| ())?;
            let hidden = node.0 < walk.hidden_until;
            Some(Text { node, text: collapse_trimmed(text), hidden })
        })
    }

    /// [`Tree::texts`] without the hidden ones.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let html = b"<title>x</title><p> Price:\n <b>12&nbsp; EUR</b><i hidden>old</i>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let texts: Vec<_> = tree.visible_texts().map(|(_, text)| text).collect();
    /// assert_eq!(texts, ["Price:", "12 EUR"]);
    /// ```
    pub fn visible_texts(&self) -> impl Iterator<Item = (NodeId, Cow<'_, str>)> {
        self.texts().filter(|text| !text.hidden).map(|text| (text.node, text.text))
    }

    /// The nodes of [`Tree::visible_texts`], for those who need not read them.
    pub fn visible_text_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut walk = Walk::over(self);
        std::iter::from_fn(move || {
            loop {
                let (node, _) = walk.next_text(|_, _| ())?;
                if node.0 >= walk.hidden_until {
                    return Some(node);
                }
            }
        })
    }

    /// The visible text of a subtree: blocks on lines of their own, table cells apart by a space, white
    /// space collapsed elsewhere. `node` itself counts as visible, whatever it is.
    pub fn visible_text(&self, node: NodeId) -> String {
        self.visible_text_within(node, usize::MAX)
    }

    /// [`Tree::visible_text`], cut at the first text node after `limit` bytes and then to `limit`: nested elements
    /// that each want their text would cost depth times the page otherwise.
    pub(crate) fn visible_text_within(&self, node: NodeId, limit: usize) -> String {
        let mut walk = Walk::below(self, node);
        let mut text = String::new();
        // Ends of the open blocks and cells, innermost last, and what the next text is parted with.
        let mut open: Vec<(u32, char)> = Vec::new();
        let mut part: Option<char> = None;
        let mut space_before = false;
        loop {
            let mut entered = None;
            let next = walk.next_text(|element, role| {
                while let Some((_, kind)) = open.pop_if(|(end, _)| *end <= element.0) {
                    entered = stronger(entered, kind);
                }
                let kind = match role {
                    Role::Block => '\n',
                    Role::Cell => ' ',
                    _ => return,
                };
                entered = stronger(entered, kind);
                open.push((self.end(element).0, kind));
            });
            let Some((next, trimmed)) = next else { return text };
            if text.len() >= limit {
                text.truncate(text.floor_char_boundary(limit));
                return text;
            }
            while let Some((_, kind)) = open.pop_if(|(end, _)| *end <= next.0) {
                entered = stronger(entered, kind);
            }
            part = entered.map_or(part, |kind| stronger(part, kind));
            if next.0 < walk.hidden_until {
                continue;
            }
            let raw = self.text(next);
            if !text.is_empty() {
                match part {
                    Some(kind) => text.push(kind),
                    None if space_before || raw.starts_with(char::is_whitespace) || walk.blank_passed => {
                        text.push(' ');
                    }
                    None => {}
                }
            }
            text.push_str(&collapse_trimmed(trimmed));
            space_before = raw.ends_with(char::is_whitespace);
            part = None;
        }
    }
}

/// A new line parts more than a space.
fn stronger(have: Option<char>, new: char) -> Option<char> {
    Some(if have == Some('\n') { '\n' } else { new })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_unicode_says() {
        for text in [
            "",
            " a ",
            "\u{a0}a\u{3000}",
            "\u{b}a\u{b}",
            "\u{1c}a",
            "a\u{2003}b \t c",
            "é  è",
            "\n \u{85} x\r",
            "“a” – b’s…  c\u{2028}d",
            "“a” – b’s\u{202f}c and some more of it",
            "a long text that is even until “here”,\nwhere a line ends \u{a0}\u{3000} twice\u{1680}x",
        ] {
            assert_eq!(trim(text), text.trim(), "{text:?}");
            assert_eq!(is_blank(text), text.trim().is_empty(), "{text:?}");
            assert_eq!(collapse(text), text.split_whitespace().collect::<Vec<_>>().join(" "), "{text:?}");
        }
    }
    use crate::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    fn visible(html: &str) -> Vec<String> {
        tree(html).visible_texts().map(|(_, text)| text.into_owned()).collect()
    }

    #[test]
    fn collapse_borrows_where_it_can() {
        assert!(matches!(collapse("  a b "), Cow::Borrowed("a b")));
        assert_eq!(collapse("a  b\u{3000}c\u{a0}"), "a b c");
        assert_eq!(collapse("a \u{a0}b"), "a b");
        assert_eq!(collapse("a\tb"), "a b");
        assert_eq!(collapse(" \n\u{a0}"), "");
    }

    #[test]
    fn what_is_not_rendered_is_passed_over() {
        assert_eq!(
            visible(
                "<title>t</title><style>s</style><body><script>1</script>a<template>b<p>c</p></template>\
                 <noscript>kept</noscript><textarea>value</textarea><svg><title>t</title><text>drawn</text></svg>d"
            ),
            ["a", "kept", "drawn", "d"]
        );
    }

    #[test]
    fn hidden_text_is_marked_with_everything_below() {
        let tree = tree("<div style='color:red; DISPLAY : none!important'>a<b>b</b></div><p hidden>c</p>d");
        let texts: Vec<_> = tree.texts().map(|text| (text.text.into_owned(), text.hidden)).collect();
        let expected = [("a", true), ("b", true), ("c", true), ("d", false)].map(|(t, h)| (t.to_owned(), h));
        assert_eq!(texts, expected);
        assert_eq!(visible("<p style='display:none;display:block'>shown"), ["shown"]);
    }

    #[test]
    fn blocks_get_lines_and_inline_elements_do_not() {
        let tree = tree(
            "<div>Price: <b>12</b>,<i>50</i> <u>EUR</u><p>a<br>b</p>c</div><table><tr><td>1<td>2<tr><td>3</table>",
        );
        assert_eq!(tree.visible_text(NodeId::DOCUMENT), "Price: 12,50 EUR\na\nb\nc\n1 2\n3");
        let table = tree.elements("table").next().unwrap();
        assert_eq!(tree.visible_text(table), "1 2\n3");
    }

    #[test]
    fn the_asked_node_counts_as_visible() {
        let tree = tree("<title> A  b </title>");
        let title = tree.elements("title").next().unwrap();
        assert_eq!(tree.visible_text(title), "A b");
        let text = tree.children(title).next().unwrap();
        assert_eq!(tree.visible_text(text), "A b");
    }
}
