//! Which addresses belong to the site.

use std::str::FromStr;

use url::{Host, Url};

use crate::fetch::host_key;

/// How far the site goes around the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// All hosts below the registrable domain of the start (`shop.example.co.uk` reaches `example.co.uk`).
    #[default]
    Domain,
    /// The host of the start alone.
    Host,
    /// The host of the start, below the folder that the start is in.
    Path,
}

impl FromStr for Reach {
    type Err = String;

    fn from_str(text: &str) -> Result<Reach, String> {
        match text {
            "domain" => Ok(Reach::Domain),
            "host" => Ok(Reach::Host),
            "path" => Ok(Reach::Path),
            _ => Err("the scope is domain, host or path".to_owned()),
        }
    }
}

/// A part of an address, in which `*` stands for anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<String>,
}

impl Pattern {
    /// Whether the text holds the parts in their order.
    pub fn matches(&self, text: &str) -> bool {
        let mut rest = text;
        for part in &self.parts {
            match rest.find(part.as_str()) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        true
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        let parts: Vec<String> = text.split('*').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        if parts.is_empty() {
            return Err("a pattern needs at least one letter beside *".to_owned());
        }
        Ok(Pattern { parts })
    }
}

/// Which addresses belong to the site.
#[derive(Debug, Clone)]
pub struct Scope {
    reach: Reach,
    host: String,
    domain: Option<String>,
    port: Option<u16>,
    folder: String,
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Scope {
    /// The scope around a start. Where patterns to include are given, an address must match one of them.
    pub fn new(start: &Url, reach: Reach, include: Vec<Pattern>, exclude: Vec<Pattern>) -> Scope {
        let folder = start.path().rfind('/').map_or("/", |at| &start.path()[..=at]).to_owned();
        let domain = registrable_domain(start);
        Scope { reach, host: host_key(start), domain, port: start.port(), folder, include, exclude }
    }

    /// Whether the address is reached at all, patterns aside: sitemaps need not match them.
    pub fn reaches(&self, url: &Url) -> bool {
        match (self.reach, &self.domain) {
            (Reach::Domain, Some(domain)) => {
                let usual_port = url.port().is_none() || url.port() == self.port;
                usual_port && registrable_domain(url).as_ref() == Some(domain)
            }
            (Reach::Domain, None) | (Reach::Host, _) => host_key(url) == self.host,
            (Reach::Path, _) => host_key(url) == self.host && url.path().starts_with(&self.folder),
        }
    }

    /// Whether pages may be fetched from the address.
    pub fn holds(&self, url: &Url) -> bool {
        let matches = |pattern: &Pattern| pattern.matches(url.as_str());
        self.reaches(url)
            && (self.include.is_empty() || self.include.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}

/// The domain that somebody registered: one label below a public suffix. `None` for addresses in numbers and names
/// without a dot, which stand for themselves alone.
pub fn registrable_domain(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            psl::domain_str(name).map(str::to_owned)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn scope(start: &str, reach: Reach) -> Scope {
        Scope::new(&url(start), reach, Vec::new(), Vec::new())
    }

    #[test]
    fn domains_are_what_was_registered() {
        let site = scope("https://www.shop.co.uk/tea/list", Reach::Domain);
        for inside in ["http://shop.co.uk/", "https://a.b.shop.co.uk/x"] {
            assert!(site.holds(&url(inside)), "{inside}");
        }
        for outside in [
            "https://other.co.uk/",
            "https://co.uk/",
            "https://shop.co.uk.evil.test/",
            "https://shop.co.uk:8080/",
            "http://10.0.0.1/",
        ] {
            assert!(!site.holds(&url(outside)), "{outside}");
        }
        let hosted = scope("https://me.github.io/", Reach::Domain);
        assert!(!hosted.holds(&url("https://you.github.io/")));
        let numbers = scope("http://127.0.0.1:8000/", Reach::Domain);
        assert!(
            numbers.holds(&url("http://127.0.0.1:8000/x")) && !numbers.holds(&url("http://127.0.0.1:8001/"))
        );
    }

    #[test]
    fn hosts_and_folders_are_narrower() {
        assert!(!scope("https://www.shop.test/", Reach::Host).holds(&url("https://shop.test/")));
        let folder = scope("https://shop.test/tea/list.html", Reach::Path);
        assert!(
            folder.holds(&url("https://shop.test/tea/x/y"))
                && !folder.holds(&url("https://shop.test/coffee"))
        );
    }

    #[test]
    fn patterns_narrow_further() {
        let pattern = |text: &str| text.parse::<Pattern>().unwrap();
        let site = Scope::new(
            &url("http://a.test/"),
            Reach::Domain,
            vec![pattern("/tea/*.html")],
            vec![pattern("print")],
        );
        assert!(site.holds(&url("http://a.test/tea/green.html")));
        assert!(!site.holds(&url("http://a.test/tea/green")));
        assert!(!site.holds(&url("http://a.test/tea/print/green.html")));
        assert!("***".parse::<Pattern>().is_err());
    }
}
