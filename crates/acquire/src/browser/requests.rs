//! Which requests of a page are let through.

use url::Url;

/// What the browser fetches that nobody can read: it costs the site time and tells us nothing.
const NOISE: [&str; 9] = [
    "Image",
    "Media",
    "Font",
    "TextTrack",
    "Prefetch",
    "Manifest",
    "SignedExchange",
    "Ping",
    "CSPViolationReport",
];

/// Parts of host names of services that only watch visitors or show them advertisements.
const TRACKERS: [&str; 30] = [
    "google-analytics.",
    "googletagmanager.",
    "googlesyndication.",
    "googleadservices.",
    "doubleclick.",
    "adservice.",
    "connect.facebook.",
    "analytics.",
    "hotjar.",
    "matomo.",
    "mixpanel.",
    "segment.io",
    "segment.com",
    "amplitude.",
    "fullstory.",
    "clarity.ms",
    "criteo.",
    "taboola.",
    "outbrain.",
    "scorecardresearch.",
    "quantserve.",
    "newrelic.",
    "nr-data.",
    "sentry.io",
    "intercom.",
    "optimizely.",
    "chartbeat.",
    "onetrust.",
    "cookielaw.",
    "adnxs.",
];

/// A request as the browser announces it.
pub(super) struct Request<'a> {
    /// Where it goes.
    pub(super) url: &'a str,
    /// What it is for, in the words of the protocol.
    pub(super) kind: &'a str,
    /// Whether it would put another document into the page's own frame.
    pub(super) is_page: bool,
}

/// Why a request is not let through; `None` lets it.
pub(super) fn objection(request: &Request<'_>, page: &Url) -> Option<&'static str> {
    if NOISE.contains(&request.kind) {
        return Some("noise");
    }
    let Ok(url) = Url::parse(request.url) else { return Some("address") };
    if matches!(url.scheme(), "data" | "blob" | "about") {
        return None;
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Some("scheme");
    }
    let foreign = !same_site(&url, page);
    if foreign && (request.is_page || request.kind == "Document") {
        return Some("foreign document");
    }
    let host = url.host_str().unwrap_or_default();
    if foreign && TRACKERS.iter().any(|part| format!("{host}.").contains(part)) {
        return Some("tracker");
    }
    None
}

/// Whether one host is the other or below it.
fn same_site(a: &Url, b: &Url) -> bool {
    let host = |url: &Url| url.host_str().unwrap_or_default().trim_start_matches("www.").to_owned();
    let (a, b) = (host(a), host(b));
    a == b || a.ends_with(&format!(".{b}")) || b.ends_with(&format!(".{a}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(url: &str, kind: &str, is_page: bool) -> Option<&'static str> {
        let page = Url::parse("https://www.shop.test/list").expect("is an address");
        objection(&Request { url, kind, is_page }, &page)
    }

    #[test]
    fn what_a_page_needs_is_let_through() {
        assert_eq!(verdict("https://www.shop.test/app.js", "Script", false), None);
        assert_eq!(verdict("https://cdn.test/react.js", "Script", false), None);
        assert_eq!(verdict("https://api.shop.test/items", "XHR", false), None);
        assert_eq!(verdict("https://shop.test/other", "Document", true), None);
        assert_eq!(verdict("data:text/css,x", "Stylesheet", false), None);
    }

    #[test]
    fn noise_is_not() {
        assert_eq!(verdict("https://www.shop.test/a.png", "Image", false), Some("noise"));
        assert_eq!(verdict("https://www.google-analytics.com/a.js", "Script", false), Some("tracker"));
        assert_eq!(verdict("https://ads.test/frame", "Document", false), Some("foreign document"));
        assert_eq!(verdict("https://elsewhere.test/", "Document", true), Some("foreign document"));
        assert_eq!(verdict("file:///etc/passwd", "XHR", false), Some("scheme"));
        assert_eq!(verdict("chrome://settings", "Document", true), Some("scheme"));
    }

    #[test]
    fn a_site_may_be_called_analytics() {
        assert_eq!(verdict("https://analytics.shop.test/app.js", "Script", false), None);
    }
}
