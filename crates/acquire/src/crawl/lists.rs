//! Sitemaps and feeds: lists of pages that a site hands out by itself.
//!
//! # What it does
//! Reads XML sitemaps and their indexes, RSS, Atom and RDF feeds, and sitemaps of plain text, gzipped or not.
//!
//! # Assumes
//! Nothing about namespaces: elements are known by their local names.
//!
//! # When it fails
//! What stands behind damaged XML is not read. Entities are those of XML alone; nothing is ever loaded.
//!
//! # Paper
//! sitemaps.org, protocol 0.9; RSS 2.0; RFC 4287 (Atom).

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::sources::read_bounded;

/// Entries that a sitemap may have according to the protocol.
const MOST_ENTRIES: usize = 50_000;

/// What a sitemap may have unpacked according to the protocol.
const LARGEST: usize = 50 << 20;

/// What a list leads to, addresses as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Pages.
    pub pages: Vec<String>,
    /// Further lists.
    pub lists: Vec<String>,
}

/// Reads a list; `None` if it is none.
pub fn read_list(bytes: &[u8]) -> Option<Listed> {
    let mut unpacked = Vec::new();
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        unpacked = read_bounded(flate2::read::MultiGzDecoder::new(bytes), LARGEST).0;
        unpacked.as_slice()
    } else {
        &bytes[..bytes.len().min(LARGEST)]
    };
    let text = decode(bytes);
    drop(unpacked);
    let start = text.trim_start();
    if start.starts_with('<') { read_xml(start) } else { read_text(start) }
}

/// Sitemaps are UTF-8; feeds now and then still say something else.
fn decode(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(200)];
    let declared = String::from_utf8_lossy(head);
    let charset = declared.split("encoding=").nth(1).and_then(|rest| {
        let mut rest = rest.chars();
        let quote = rest.next()?;
        Some(rest.take_while(|c| *c != quote).collect::<String>())
    });
    unsite_dom::decode(bytes, charset.as_deref()).0.into_owned()
}

/// One address in each line and nothing else.
fn read_text(text: &str) -> Option<Listed> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_address = |line: &str| line.starts_with("http://") || line.starts_with("https://");
    let first = lines().next()?;
    if !is_address(first) {
        return None;
    }
    let pages = lines().filter(|line| is_address(line)).take(MOST_ENTRIES).map(str::to_owned).collect();
    Some(Listed { pages, lists: Vec::new() })
}

/// What an address in an element means.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Urlset,
    Index,
    Feed,
}

fn read_xml(text: &str) -> Option<Listed> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut listed = Listed::default();
    let mut kind = None;
    // Inside an entry or item, and inside the element that has the address as text.
    let (mut entry, mut address) = (false, None::<String>);
    while listed.pages.len() + listed.lists.len() < MOST_ENTRIES {
        let event = match reader.read_event() {
            Ok(Event::Eof) | Err(_) => break,
            Ok(event) => event,
        };
        match event {
            Event::Start(element) | Event::Empty(element) => {
                let name = local_name(&element);
                match (kind, name.as_str()) {
                    (None, "urlset") => kind = Some(Kind::Urlset),
                    (None, "sitemapindex") => kind = Some(Kind::Index),
                    (None, "rss" | "feed" | "rdf") => kind = Some(Kind::Feed),
                    (None, _) => return None,
                    (Some(Kind::Feed), "item" | "entry") => entry = true,
                    (Some(Kind::Urlset | Kind::Index), "loc") => address = Some(String::new()),
                    (Some(Kind::Feed), "link") if entry => match href(&element) {
                        Some(href) => listed.pages.extend(href),
                        None => address = Some(String::new()),
                    },
                    _ => {}
                }
            }
            Event::Text(text) => {
                if let Some(address) = &mut address {
                    address.push_str(&text);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(address) = &mut address {
                    address.push_str(entity(&reference).unwrap_or_default());
                }
            }
            Event::CData(text) => {
                if let Some(address) = &mut address {
                    address.push_str(&text);
                }
            }
            Event::End(element) => {
                let name = element.local_name();
                if name.as_ref().eq_ignore_ascii_case("item") || name.as_ref().eq_ignore_ascii_case("entry") {
                    entry = false;
                }
                if let Some(address) = address.take() {
                    let address = address.trim().to_owned();
                    match kind {
                        _ if address.is_empty() => {}
                        Some(Kind::Index) => listed.lists.push(address),
                        _ => listed.pages.push(address),
                    }
                }
            }
            _ => {}
        }
    }
    kind.map(|_| listed)
}

fn local_name(element: &BytesStart<'_>) -> String {
    element.local_name().as_ref().to_ascii_lowercase()
}

/// The address of an Atom link: `Some(None)` where it leads to something else than the entry's page.
fn href(element: &BytesStart<'_>) -> Option<Option<String>> {
    let (mut href, mut rel) = (None, "alternate".to_owned());
    for attribute in element.attributes().with_checks(false).flatten() {
        let value = attribute.value.replace("&amp;", "&");
        match attribute.key.local_name().as_ref() {
            "href" => href = Some(value),
            "rel" => rel = value,
            _ => {}
        }
    }
    href.map(|href| (rel == "alternate").then_some(href))
}

fn entity(name: &str) -> Option<&'static str> {
    match name {
        "amp" | "#38" | "#x26" => Some("&"),
        "lt" => Some("<"),
        "gt" => Some(">"),
        "quot" => Some("\""),
        "apos" => Some("'"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::fast())
            .read_to_end(&mut out)
            .unwrap();
        out
    }

    const SITEMAP: &str = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <url><loc> http://a.test/?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod></url>\
        <url><loc><![CDATA[http://a.test/b]]></loc></url></urlset>";

    #[test]
    fn sitemaps_plain_and_packed() {
        let wanted =
            Listed { pages: vec!["http://a.test/?x=1&y=2".into(), "http://a.test/b".into()], lists: vec![] };
        assert_eq!(read_list(SITEMAP.as_bytes()), Some(wanted.clone()));
        assert_eq!(read_list(&gzip(SITEMAP)), Some(wanted));
        let index = "<sitemapindex><sitemap><loc>http://a.test/1.xml.gz</loc></sitemap></sitemapindex>";
        assert_eq!(read_list(index.as_bytes()).unwrap().lists, ["http://a.test/1.xml.gz"]);
        let text = "http://a.test/1\n\nhttps://a.test/2\nnonsense";
        assert_eq!(read_list(text.as_bytes()).unwrap().pages, ["http://a.test/1", "https://a.test/2"]);
    }

    #[test]
    fn feeds_of_every_kind() {
        let rss = "<rss><channel><link>http://a.test/</link><item><title>x</title><link>http://a.test/1</link></item></channel></rss>";
        assert_eq!(read_list(rss.as_bytes()).unwrap().pages, ["http://a.test/1"]);
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='/self'/><entry><link rel='edit' href='/e'/>\
                    <link href='/1?a=1&amp;b=2'/></entry></feed>";
        assert_eq!(read_list(atom.as_bytes()).unwrap().pages, ["/1?a=1&b=2"]);
        let rdf = "<rdf:RDF><item><link>http://a.test/r</link></item></rdf:RDF>";
        assert_eq!(read_list(rdf.as_bytes()).unwrap().pages, ["http://a.test/r"]);
    }

    #[test]
    fn odd_quotes_around_the_encoding_are_no_trouble() {
        for declared in ["“UTF-8”", "é", "", "'", "\u{1f600}utf-8\u{1f600}", "\"ISO-8859-1\""] {
            let text = format!("<?xml version=\"1.0\" encoding={declared}?><urlset><loc>/a</loc></urlset>");
            assert_eq!(read_list(text.as_bytes()).unwrap().pages, ["/a"], "{declared}");
        }
    }

    #[test]
    fn what_is_no_list_and_what_is_a_bad_one() {
        for other in ["", "hello", "<html><a href=x>", "<svg><loc>x</loc></svg>", "\0\u{1}"] {
            assert_eq!(read_list(other.as_bytes()), None, "{other:?}");
        }
        let cut = &SITEMAP[..SITEMAP.len() - 40];
        assert_eq!(read_list(cut.as_bytes()).unwrap().pages.len(), 1);
        let laughs = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><loc>&b;http://a.test/</loc></urlset>";
        assert_eq!(read_list(laughs.as_bytes()).unwrap().pages, ["http://a.test/"]);
        assert_eq!(read_list(&gzip(SITEMAP)[..60]), None);
        let many = format!("<urlset>{}</urlset>", "<loc>http://a.test/</loc>".repeat(60_000));
        assert_eq!(read_list(many.as_bytes()).unwrap().pages.len(), MOST_ENTRIES);
    }
}
