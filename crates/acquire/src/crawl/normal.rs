//! One address for one page.

use url::Url;

/// Longer addresses are made by programs that do not stop; servers refuse them at 8 KB at the latest.
const LONGEST: usize = 2048;

/// Parameters that say where a visitor comes from or who he is, and nothing about the page.
const NOISE: [&str; 22] = [
    "phpsessid",
    "jsessionid",
    "aspsessionid",
    "sessionid",
    "session_id",
    "sessid",
    "sid",
    "cfid",
    "cftoken",
    "zenid",
    "oscsid",
    "fbclid",
    "gclid",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "mc_cid",
    "mc_eid",
    "_ga",
    "igshid",
];

/// Families of such parameters.
const NOISE_PREFIXES: [&str; 3] = ["utm_", "pk_", "mtm_"];

/// Endings of addresses that are never pages.
const NOT_PAGES: [&str; 60] = [
    "7z", "apk", "avi", "avif", "bin", "bmp", "bz2", "css", "csv", "deb", "dmg", "doc", "docx", "eot",
    "epub", "exe", "flac", "gif", "gz", "ico", "iso", "jar", "jpeg", "jpg", "js", "json", "m4a", "m4v",
    "mjs", "mkv", "mov", "mp3", "mp4", "mpg", "msi", "odp", "ods", "odt", "ogg", "pdf", "png", "ppt", "pptx",
    "ps", "rar", "rpm", "rtf", "svg", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp",
    "woff", "xlsx", "zip",
];

/// The form in which an address is queued: no fragment, no user name, no session, percent-escapes in one spelling.
/// `None` where a crawl should not go: other schemes, no host, addresses without end.
pub fn normal(url: &Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return None;
    }
    let mut url = url.clone();
    url.set_fragment(None);
    // Both can only fail for addresses without a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let path = without_path_session(url.path()).map(str::to_owned);
    let path = escapes(path.as_deref().unwrap_or(url.path()));
    if path != url.path() {
        url.set_path(&path);
    }
    let query = url.query().and_then(|query| {
        let kept: Vec<String> = query.split('&').filter(|part| !is_noise(part)).map(escapes).collect();
        (!kept.is_empty()).then(|| kept.join("&"))
    });
    if query.as_deref() != url.query() {
        url.set_query(query.as_deref());
    }
    (url.as_str().len() <= LONGEST).then_some(url)
}

/// Whether the address ends like something that is no page: an image, an archive, a film.
pub fn is_other_file(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    match last.rsplit_once('.') {
        Some((_, ending)) => NOT_PAGES.binary_search(&ending.to_ascii_lowercase().as_str()).is_ok(),
        None => false,
    }
}

/// `;jsessionid=...` stands behind the path.
fn without_path_session(path: &str) -> Option<&str> {
    let at = path.to_ascii_lowercase().find(";jsessionid=")?;
    path.get(..at)
}

fn is_noise(part: &str) -> bool {
    let name = part.split('=').next().unwrap_or_default().to_ascii_lowercase();
    part.is_empty()
        || NOISE.contains(&name.as_str())
        || NOISE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Escapes in capital letters, and none where none is needed (RFC 3986, 6.2.2).
fn escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| byte == b'%') {
            Some(value) if value.is_ascii_alphanumeric() || b"-._~".contains(&value) => {
                out.push(char::from(value));
                at += 3;
            }
            Some(value) => {
                out.push_str(&format!("%{value:02X}"));
                at += 3;
            }
            None => {
                // `url` leaves nothing but ASCII in paths and queries.
                out.push(char::from(byte));
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(given: &str, wanted: &str) {
        assert_eq!(normal(&Url::parse(given).unwrap()).unwrap().as_str(), wanted);
    }

    #[test]
    fn one_page_has_one_address() {
        is("HTTP://User:pw@A.Test:80/x/../y#z", "http://a.test/y");
        is("http://a.test/%7Euser/%e4%2f?a=%3d%41", "http://a.test/~user/%E4%2F?a=%3DA");
        is("http://a.test/?utm_source=x&id=1&PHPSESSID=9&&sid=2", "http://a.test/?id=1");
        is("http://a.test/?utm_source=x", "http://a.test/");
        is("http://a.test/p;jsessionid=AB12?x=1", "http://a.test/p?x=1");
        is("http://a.test/100%", "http://a.test/100%");
        is("http://a.test/?b=2&a=1", "http://a.test/?b=2&a=1");
    }

    #[test]
    fn some_addresses_are_none() {
        for text in ["mailto:a@b.test", "javascript:void(0)", "ftp://a.test/"] {
            assert_eq!(normal(&Url::parse(text).unwrap()), None);
        }
        let long = format!("http://a.test/{}", "x".repeat(3000));
        assert_eq!(normal(&Url::parse(&long).unwrap()), None);
    }

    #[test]
    fn files_are_told_from_pages() {
        let is_file = |text: &str| is_other_file(&Url::parse(text).unwrap());
        assert!(is_file("http://a.test/x/Photo.JPG?size=1") && is_file("http://a.test/a.tar.gz"));
        assert!(
            !is_file("http://a.test/x.html")
                && !is_file("http://a.test/v1.2/")
                && !is_file("http://a.test/x.com")
        );
        assert!(NOT_PAGES.is_sorted());
    }
}
