//! The address that a saved page tells about itself.
//!
//! In this order: the comment that a browser, HTTrack or SingleFile leaves; a `<base href>` that names a page; the
//! canonical link; `og:url`; a `<base href>` that names a folder, joined with the file's name. Otherwise a `file:` URL
//! of the path inside the source, which never shows where on this machine the source lies.

use super::sniff::{self, starts_with_ignoring_case};

/// How much of a page is searched. Comments, base and canonical links stand in the head.
const SEARCHED_BYTES: usize = 64 << 10;

/// Longer addresses are not addresses.
const LONGEST_URL: usize = 8 << 10;

/// The best address for a page that is stored under `reference`.
pub(crate) fn page_url(bytes: &[u8], reference: &str) -> String {
    let start = &bytes[..bytes.len().min(SEARCHED_BYTES)];
    let narrow = sniff::narrowed(start);
    let told = Told::read(narrow.as_deref().unwrap_or(start));
    let base_page = told.base.as_ref().filter(|base| !names_folder(base)).cloned();
    let known = told.comment.or(base_page).or(told.canonical).or(told.og_url);
    match (known, told.base) {
        (Some(url), _) => url,
        (None, Some(folder)) => join_file_name(&folder, reference),
        (None, None) => file_url(reference),
    }
}

/// `file:///` and the path inside the source, percent-encoded.
pub(crate) fn file_url(reference: &str) -> String {
    format!("file:///{}", encoded(reference.trim_start_matches('/')))
}

/// Name in lower case, and value.
type Attribute = (Vec<u8>, Vec<u8>);

#[derive(Default)]
struct Told {
    comment: Option<String>,
    base: Option<String>,
    canonical: Option<String>,
    og_url: Option<String>,
}

impl Told {
    fn read(text: &[u8]) -> Told {
        let mut told = Told::default();
        let mut at = 0;
        while let Some(open) = find(&text[at..], b"<") {
            at += open;
            let rest = &text[at..];
            if let Some(body) = rest.strip_prefix(b"<!--") {
                let length = find(body, b"-->").unwrap_or(body.len());
                if told.comment.is_none() {
                    told.comment = comment_url(&body[..length]);
                }
                at += 4 + length;
            } else {
                at += told.read_tag(rest);
            }
        }
        told
    }

    /// Looks at one tag and says how many bytes to go on.
    fn read_tag(&mut self, rest: &[u8]) -> usize {
        let name_length = rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = rest[1..=name_length].to_ascii_lowercase();
        match name.as_slice() {
            b"script" | b"style" => {
                // What looks like a tag in there is none. Without an end tag the rest of the prefix is script.
                let end: &[u8] = if name == b"script" { b"</script" } else { b"</style" };
                find_ignoring_case(rest, end).unwrap_or(rest.len())
            }
            b"base" | b"link" | b"meta" => {
                let (attributes, used) = attributes(&rest[1 + name_length..]);
                self.read_attributes(&name, &attributes);
                1 + name_length + used
            }
            _ => 1,
        }
    }

    fn read_attributes(&mut self, name: &[u8], attributes: &[Attribute]) {
        let value = |wanted: &[u8]| {
            attributes.iter().find(|(key, _)| key == wanted).map(|(_, value)| value.as_slice())
        };
        let (slot, url) = match name {
            b"base" => (&mut self.base, value(b"href")),
            b"link" => {
                let relations = value(b"rel").unwrap_or_default();
                let canonical = relations
                    .split(|byte| byte.is_ascii_whitespace())
                    .any(|word| word.eq_ignore_ascii_case(b"canonical"));
                (&mut self.canonical, value(b"href").filter(|_| canonical))
            }
            _ => {
                let property = value(b"property").or(value(b"name")).unwrap_or_default();
                (&mut self.og_url, value(b"content").filter(|_| property.eq_ignore_ascii_case(b"og:url")))
            }
        };
        if slot.is_none() {
            *slot = url.and_then(|url| absolute(&without_entities(url)));
        }
    }
}

/// `saved from url=(0023)http://...` of browsers, `Mirrored from host/path by HTTrack` and SingleFile's `url: http://...`.
fn comment_url(comment: &[u8]) -> Option<String> {
    if let Some(at) = find_ignoring_case(comment, b"saved from url=(") {
        let rest = &comment[at..];
        let close = find(rest, b")")?;
        return absolute(first_word(&rest[close + 1..]));
    }
    if let Some(at) = find_ignoring_case(comment, b"mirrored from ") {
        let rest = &comment[at + 14..];
        let end = find_ignoring_case(rest, b" by httrack")?;
        let address = rest[..end].trim_ascii();
        return absolute(address).or_else(|| absolute(&[b"http://", address].concat()));
    }
    let single_file = find_ignoring_case(comment, b"saved with singlefile")?;
    let rest = &comment[single_file..];
    let at = find_ignoring_case(rest, b"url:")?;
    absolute(first_word(&rest[at + 4..]))
}

fn first_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    &text[..end]
}

/// The address if it is an absolute one of the web.
fn absolute(url: &[u8]) -> Option<String> {
    let url = url.trim_ascii();
    let host = [&b"http://"[..], b"https://"]
        .iter()
        .find_map(|scheme| starts_with_ignoring_case(url, scheme).then(|| &url[scheme.len()..]))?;
    let plausible =
        host.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii() || *byte == b'[');
    let clean = url.len() <= LONGEST_URL
        && !url.iter().any(|byte| byte.is_ascii_control() || b" <>\"".contains(byte));
    (plausible && clean).then(|| String::from_utf8_lossy(url).into_owned())
}

fn names_folder(url: &str) -> bool {
    url.ends_with('/') || url.matches('/').count() < 3
}

fn join_file_name(folder: &str, reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    let slash = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{slash}{}", encoded(name))
}

fn encoded(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

/// Attributes from behind a tag's name up to its `>`, names in lower case, and how many bytes that took.
fn attributes(text: &[u8]) -> (Vec<Attribute>, usize) {
    let mut attributes = Vec::new();
    let mut at = 0;
    let run = |from: usize, keep: &dyn Fn(u8) -> bool| {
        from + text[from..].iter().take_while(|byte| keep(**byte)).count()
    };
    loop {
        at = run(at, &|byte| byte.is_ascii_whitespace() || byte == b'/');
        if at >= text.len() || text[at] == b'>' {
            return (attributes, at);
        }
        let name_end = run(at + 1, &|byte| !byte.is_ascii_whitespace() && !b"=>/".contains(&byte));
        let name = text[at..name_end].to_ascii_lowercase();
        at = run(name_end, &|byte| byte.is_ascii_whitespace());
        let mut value: &[u8] = b"";
        if text.get(at) == Some(&b'=') {
            at = run(at + 1, &|byte| byte.is_ascii_whitespace());
            match text.get(at).copied() {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = run(at + 1, &|byte| byte != quote);
                    value = &text[at + 1..end];
                    at = (end + 1).min(text.len());
                }
                _ => {
                    let end = run(at, &|byte| !byte.is_ascii_whitespace() && byte != b'>');
                    value = &text[at..end];
                    at = end;
                }
            }
        }
        attributes.push((name, value.to_vec()));
    }
}

/// The ampersand is the only character that addresses commonly escape.
fn without_entities(value: &[u8]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(value).into_owned();
    for entity in ["&amp;", "&#38;", "&#x26;", "&#038;"] {
        text = text.replace(entity, "&");
    }
    text.into_bytes()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let first = *part.first()?;
    let mut from = 0;
    loop {
        let at = from + text[from..].iter().position(|byte| *byte == first)?;
        if text[at..].starts_with(part) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn find_ignoring_case(text: &[u8], part: &[u8]) -> Option<usize> {
    let first = part.first()?.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + text[from..].iter().position(|byte| byte.to_ascii_lowercase() == first)?;
        if starts_with_ignoring_case(&text[at..], part) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(html: &str) -> String {
        page_url(html.as_bytes(), "a b/page.html")
    }

    #[test]
    fn saved_page_comments() {
        assert_eq!(
            url("<!doctype html>\n<!-- saved from url=(0023)http://shop.test/x?a=1 -->"),
            "http://shop.test/x?a=1"
        );
        assert_eq!(
            url(
                "<html><!-- Mirrored from shop.test/tea/green.html by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->"
            ),
            "http://shop.test/tea/green.html"
        );
        assert_eq!(
            url(
                "<html><!--\n Page saved with SingleFile \n url: https://shop.test/y \n saved date: Mon\n-->"
            ),
            "https://shop.test/y"
        );
        assert_eq!(url("<!-- saved from url=(0014)about:internet -->"), "file:///a%20b/page.html");
    }

    #[test]
    fn tags_in_order_of_trust() {
        let canonical = "<link href='http://s.test/c?a=1&amp;b=2' rel=\"alternate canonical\">";
        let og = "<META content=http://s.test/og property=og:url>";
        assert_eq!(url(&format!("{og}{canonical}")), "http://s.test/c?a=1&b=2");
        assert_eq!(url(og), "http://s.test/og");
        assert_eq!(url(&format!("{canonical}<base href=http://s.test/dir/p>")), "http://s.test/dir/p");
        assert_eq!(url(&format!("<base href='http://s.test/'>{canonical}")), "http://s.test/c?a=1&b=2");
        assert_eq!(url("<base href='http://s.test/'>"), "http://s.test/page.html");
        assert_eq!(url("<base href='/'><link rel=canonical href='/x'>"), "file:///a%20b/page.html");
    }

    #[test]
    fn scripts_and_comments_are_not_searched_for_tags() {
        let hidden = "<link rel=canonical href=http://wrong.test/>";
        assert_eq!(url(&format!("<script>'{hidden}'</script><!-- {hidden} -->")), "file:///a%20b/page.html");
    }

    #[test]
    fn wide_text_is_read_too() {
        let mut wide = vec![0xff, 0xfe];
        for unit in "<link rel=canonical href=http://s.test/w>".encode_utf16() {
            wide.extend(unit.to_le_bytes());
        }
        assert_eq!(page_url(&wide, "x"), "http://s.test/w");
    }

    #[test]
    fn broken_markup_ends() {
        for html in [
            "<",
            "<base",
            "<base href",
            "<base href=",
            "<base href='",
            "<!--",
            "<!-- saved from url=(",
            "<script",
            "<link rel=canonical href=http://",
        ] {
            assert_eq!(url(html), "file:///a%20b/page.html", "{html}");
        }
    }
}
