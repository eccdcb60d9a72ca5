//! Pages that come out of a Wayback Machine: their own address and their moment stand in the address of the copy, and every
//! link was made to lead to other copies.

use std::borrow::Cow;

use unsite_dom::{Moment, RawPage};

use super::saved_url;

/// What stands between the host of an archive and the moment: `/web/20190102030405/http://...`.
const FOLDER: &[u8] = b"/web/";

/// The digits of a moment.
const STAMP: usize = 14;

/// What a Wayback Machine puts at the top of a copy.
const TOOLBAR: (&[u8], &[u8]) =
    (b"<!-- BEGIN WAYBACK TOOLBAR INSERT -->", b"<!-- END WAYBACK TOOLBAR INSERT -->");

/// Gives a copy its own address and moment back, and its links too. Other pages stay as they are; what the source itself
/// says of the moment counts more.
pub(crate) fn unwrapped(mut page: RawPage) -> RawPage {
    let found = own_address(&page.url).or_else(|| of_path(&page));
    let Some((moment, url)) = found else { return page };
    page.captured = page.captured.or(Some(moment));
    page.url = url;
    if let Cow::Owned(plain) = own_links(&page.bytes) {
        page.bytes = plain;
    }
    page
}

/// The moment and the own address in the address of a copy.
fn own_address(url: &str) -> Option<(Moment, String)> {
    let (at, end, moment) = copies(url.as_bytes(), 0)?;
    // A site may have a folder `web` of its own; what is in front of it has to be the host of an archive.
    let host = url[..at].split_once("://").is_some_and(|(_, host)| !host.contains('/'));
    host.then(|| (moment, url[end..].to_owned()))
}

/// The first copy behind `from`: where its `/web/` begins, where its own address does, and its moment.
fn copies(text: &[u8], from: usize) -> Option<(usize, usize, Moment)> {
    let mut at = from;
    loop {
        at += text.get(at..)?.windows(FOLDER.len()).position(|window| window == FOLDER)?;
        if let Some((end, moment)) = copy_at(&text[at + FOLDER.len()..]) {
            return Some((at, at + FOLDER.len() + end, moment));
        }
        at += FOLDER.len();
    }
}

/// Moment, perhaps what sort of copy it is (`id_`, `im_`), and the beginning of a web address.
fn copy_at(rest: &[u8]) -> Option<(usize, Moment)> {
    let stamp = rest.get(..STAMP).filter(|stamp| stamp.iter().all(u8::is_ascii_digit))?;
    let moment = Moment::parse(std::str::from_utf8(stamp).ok()?)?;
    let behind = &rest[STAMP..];
    let letters = behind.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let sort = if letters > 0 && behind.get(letters) == Some(&b'_') { letters + 1 } else { 0 };
    let address = behind.get(sort..)?.strip_prefix(b"/")?;
    let is_web = address.starts_with(b"http://") || address.starts_with(b"https://");
    is_web.then_some((STAMP + sort + 1, moment))
}

/// Saved copies: a folder of their path is the moment, and what is behind it the address, with or without its scheme.
fn of_path(page: &RawPage) -> Option<(Moment, String)> {
    let mut parts = page.reference.split('/');
    let stamp = parts.by_ref().find(|part| {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '_');
        digits.len() == STAMP && Moment::parse(digits).is_some()
    })?;
    let moment = Moment::parse(&stamp[..STAMP])?;
    let rest: Vec<&str> = parts.collect();
    let url = match rest.split_first() {
        // Names of files cannot hold two slashes in a row.
        Some((&scheme @ ("http:" | "https:"), path)) if !path.is_empty() => {
            format!("{scheme}//{}", path.join("/"))
        }
        Some(_) if page.url.starts_with("file:") => saved_url::file_url(&rest.join("/")),
        Some(_) => page.url.clone(),
        None => return None,
    };
    Some((moment, url))
}

/// Bytes in which links lead where they led before, without the toolbar.
fn own_links(bytes: &[u8]) -> Cow<'_, [u8]> {
    let find = |part: &[u8]| bytes.windows(part.len()).position(|window| window == part);
    let bar = find(TOOLBAR.0).zip(find(TOOLBAR.1)).filter(|(begin, end)| begin < end);
    let mut plain = Vec::with_capacity(bytes.len());
    let mut done = 0;
    if let Some((begin, end)) = bar {
        plain_links(&bytes[..begin], &mut plain);
        done = end + TOOLBAR.1.len();
    }
    plain_links(&bytes[done..], &mut plain);
    if plain.len() == bytes.len() { Cow::Borrowed(bytes) } else { Cow::Owned(plain) }
}

fn plain_links(bytes: &[u8], out: &mut Vec<u8>) {
    let mut done = 0;
    while let Some((at, end, _)) = copies(bytes, done) {
        // The host of the archive before it goes too.
        let before = &bytes[done..at];
        let opening =
            before.iter().rposition(|byte| b"\"'=( \t\r\n,>".contains(byte)).map_or(0, |quote| quote + 1);
        let host = &before[opening..];
        let is_host = host.is_empty()
            || [&b"http://"[..], b"https://", b"//"]
                .iter()
                .any(|scheme| host.strip_prefix(*scheme).is_some_and(|host| !host.contains(&b'/')));
        out.extend_from_slice(&before[..if is_host { opening } else { before.len() }]);
        if !is_host {
            out.extend_from_slice(&bytes[at..end]);
        }
        done = end;
    }
    out.extend_from_slice(&bytes[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, reference: &str, html: &str) -> RawPage {
        RawPage { url: url.into(), reference: reference.into(), bytes: html.into(), ..RawPage::default() }
    }

    fn told(page: RawPage) -> (String, Option<String>, String) {
        let page = unwrapped(page);
        let moment = page.captured.map(|moment| moment.to_string());
        (page.url, moment, String::from_utf8(page.bytes).unwrap())
    }

    #[test]
    fn addresses_of_copies() {
        for url in [
            "https://web.archive.org/web/20190102030405/http://shop.test/tea?a=1",
            "http://archive.test:8080/web/20190102030405id_/http://shop.test/tea?a=1",
        ] {
            let (url, moment, _) = told(page(url, "1", "x"));
            assert_eq!(url, "http://shop.test/tea?a=1");
            assert_eq!(moment.as_deref(), Some("2019-01-02T03:04:05Z"));
        }
        for url in [
            "http://shop.test/web/2019/http://x",
            "http://shop.test/web/20191302030405/http://x",
            "http://shop.test/a/web/20190102030405/http://shop.test/",
            "http://shop.test/web/20190102030405/tea",
        ] {
            assert_eq!(told(page(url, "1", "x")).0, url);
        }
    }

    #[test]
    fn folders_of_copies() {
        let (url, moment, _) = told(page("file:///x", "20190102030405/http:/shop.test/a/tea.html", "x"));
        assert_eq!((url.as_str(), moment.is_some()), ("http://shop.test/a/tea.html", true));
        let (url, _, _) = told(page("file:///x", "websites/20190102030405/tea.html", "x"));
        assert_eq!(url, "file:///tea.html");
        let (url, moment, _) = told(page("http://shop.test/tea", "20190102030405id_/tea.html", "x"));
        assert_eq!((url.as_str(), moment.is_some()), ("http://shop.test/tea", true));
        assert_eq!(told(page("file:///x", "20190102030405.html", "x")).1, None);
    }

    #[test]
    fn links_lead_where_they_led() {
        let html = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><b>bar</b><!-- END WAYBACK TOOLBAR INSERT -->\
                    <a href=\"/web/20190102030405/http://shop.test/b\">b</a><img src=//web.archive.org/web/20190102030405im_/http://shop.test/c.png>\
                    <a href='https://web.archive.org/web/20180102030405/https://d.test/'>d</a> /web/news";
        let (_, _, plain) =
            told(page("https://web.archive.org/web/20190102030405/http://shop.test/", "1", html));
        assert_eq!(
            plain,
            "<a href=\"http://shop.test/b\">b</a><img src=http://shop.test/c.png><a href='https://d.test/'>d</a> /web/news"
        );
    }
}
