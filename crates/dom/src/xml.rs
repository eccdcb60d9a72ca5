//! Pages that a program wrote as XML: an element without content ends in `/>`, whatever its name.
//!
//! # What it does
//! Tells such pages, which copies of the web hold where somebody parsed a page and wrote it again, from HTML. To a browser
//! `<span/>` is an open tag, and all that follows would be inside it.
//!
//! # Assumes
//! A program that writes XML writes every empty element so; a person who writes `<a name="x"/>` here and there also
//! writes `<script src="x"></script>`.
//!
//! # When it fails
//! A page with one such tag and no empty element at all is taken for XML: the tag then holds nothing instead of the rest
//! of the page.

use memchr::{memchr_iter, memmem, memrchr};

/// Self-closed elements for every empty pair of tags that make a page XML.
const SELF_CLOSED_PER_PAIR: usize = 10;

/// Where the name of a self-closed tag is looked for before its end, in bytes.
const LONGEST_TAG: usize = 1024;

/// HTML elements that may have content, of those that are common without any. Names of SVG and MathML are not here.
const NOT_VOID: [&str; 53] = [
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "blockquote",
    "button",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "i",
    "iframe",
    "label",
    "legend",
    "li",
    "main",
    "nav",
    "noscript",
    "ol",
    "option",
    "p",
    "pre",
    "q",
    "s",
    "script",
    "section",
    "select",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "td",
    "textarea",
    "th",
    "tr",
    "u",
    "ul",
];

/// Whether a page was written as XML.
pub(crate) fn is_serialised(html: &str) -> bool {
    let html = html.as_bytes();
    let self_closed = self_closed(html);
    // A page of HTML has enough empty pairs near its beginning.
    self_closed > 0 && empty_pairs(html).nth(self_closed.div_ceil(SELF_CLOSED_PER_PAIR) - 1).is_none()
}

/// How many elements that may have content are self-closed; on nearly all pages none is.
fn self_closed(html: &[u8]) -> usize {
    let is_tag = |end: &usize| {
        let near = &html[end.saturating_sub(LONGEST_TAG)..*end];
        let before = memrchr(b'>', near).map_or(near, |last| &near[last + 1..]);
        !before.starts_with(b"</") && is_not_void(last_tag(before))
    };
    memmem::find_iter(html, b"/>").filter(is_tag).count()
}

/// Start tags with nothing between them and their end tags.
fn empty_pairs(html: &[u8]) -> impl Iterator<Item = ()> {
    let (mut start, mut opened) = (0, &b""[..]);
    memchr_iter(b'>', html).filter_map(move |end| {
        let before = &html[start..end];
        start = end + 1;
        if let Some(closed) = before.strip_prefix(b"</") {
            let opened = std::mem::take(&mut opened);
            return (!opened.is_empty() && closed.eq_ignore_ascii_case(opened)).then_some(());
        }
        opened = if before.ends_with(b"/") { b"" } else { last_tag(before) };
        None
    })
}

/// The name of the tag that begins last, or nothing.
fn last_tag(text: &[u8]) -> &[u8] {
    let Some(start) = memrchr(b'<', text) else { return b"" };
    let name = &text[start + 1..];
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    &name[..length]
}

fn is_not_void(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    NOT_VOID.binary_search_by(|known| known.as_bytes().cmp(&lower)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_written_as_xml_are_told_from_html() {
        assert!(NOT_VOID.is_sorted());
        for xml in [
            "<html><body><span class='a'/><p>x<br/></p></body></html>",
            "<script src='a.js'/><div id=\"b\" />x",
            "<TEXTAREA name='x'/>",
        ] {
            assert!(is_serialised(xml), "{xml}");
        }
        for html in [
            "",
            "/>",
            "<p>x<br/><img src='a'/></p>",
            "<svg><path d='M0'/><circle r='1'/></svg>",
            "<a name='top'/><script src='a.js'></script><p>x</p>",
            "<div><i/>a</div><div></div><div></div>",
        ] {
            assert!(!is_serialised(html), "{html}");
        }
    }

    #[test]
    fn nothing_grows_with_the_square() {
        let ends = "/>".repeat(1 << 20);
        assert!(!is_serialised(&ends));
        let starts = "<a".repeat(1 << 20);
        assert!(!is_serialised(&starts));
    }
}
