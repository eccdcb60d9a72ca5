//! Links made out quickly, for those who read every link of every page.

use std::borrow::Cow;
use std::cell::RefCell;

use url::{Position, Url};

use crate::links::{Budget, is_web, resolve, without_fragment};
use crate::text::is_blank;
use crate::tree::{NodeId, Tree};

/// Nodes of a link that are looked through for free; more are read within the [`Budget`] of the page.
const LARGE_LINK: u32 = 64;

/// A link whose address could be made out, see [`Link`](crate::Link).
pub struct QuickLink<'a> {
    /// The element.
    pub node: NodeId,
    /// The absolute address without its fragment.
    pub address: &'a str,
    /// See [`Link::web`](crate::Link::web).
    pub web: bool,
    /// See [`Link::same_page`](crate::Link::same_page).
    pub same_page: bool,
    /// Leads to the site of the page, see [`same_site`].
    pub same_site: bool,
    tree: &'a Tree,
    budget: &'a RefCell<Budget>,
}

impl<'a> QuickLink<'a> {
    /// What it says, see [`Link::text`](crate::Link::text): made out when it is asked for, since most never are.
    pub fn text(&self) -> Cow<'a, str> {
        self.tree.anchor_text(self.node, &mut self.budget.borrow_mut())
    }

    /// Whether it can say a number: false only where [`QuickLink::text`] is none, and known with less work.
    pub fn may_be_number(&self) -> bool {
        if self.tree.end(self.node).0 - self.node.0 > LARGE_LINK {
            return true;
        }
        let is_number = |text: &str| text.trim().bytes().all(|byte| byte.is_ascii_digit());
        let says = |name: &str| self.tree.attr(self.node, name).is_some_and(is_number);
        let below = |node: NodeId| match self.tree.is_text(node) {
            // All that is shown of it makes one number, so each part does.
            true => is_number(self.tree.text(node)) && !is_blank(self.tree.text(node)),
            false => self.tree.name(node) == "img" && self.tree.attr(node, "alt").is_some_and(is_number),
        };
        self.tree.descendants(self.node).any(below) || ["alt", "aria-label", "title"].into_iter().any(says)
    }
}

/// Whether two addresses are of one site: the same host, `www.` aside.
pub fn same_site(a: &Url, b: &Url) -> bool {
    host_of(a) == host_of(b) && a.port() == b.port()
}

fn host_of(url: &Url) -> Option<&str> {
    url.host_str().map(|host| host.trim_start_matches("www."))
}

/// [`Url::join`] as text; quick where no parser is needed, which is nearly everywhere.
///
/// ```
/// let base = unsite_dom::Url::parse("https://shop.example/a/b").unwrap();
/// assert_eq!(unsite_dom::join(&base, "c?x=1#y").as_deref(), Some("https://shop.example/a/c?x=1#y"));
/// assert_eq!(unsite_dom::join(&base, "../ä").as_deref(), Some("https://shop.example/%C3%A4"));
/// ```
pub fn join(base: &Url, href: &str) -> Option<String> {
    let (spelled, fragment) = match href.split_once('#') {
        Some((spelled, fragment)) => (spelled, Some(fragment)),
        None => (href, None),
    };
    let mut address = String::with_capacity(base.as_str().len() + href.len());
    let stays = fragment.is_none_or(|fragment| fragment.bytes().all(stays_as_it_is));
    if !stays || !is_web(base) || !join_plain(base, spelled, &mut address) {
        if !stays || plain_host(spelled).is_none() {
            return base.join(href).ok().map(String::from);
        }
        address.push_str(spelled);
    }
    if let Some(fragment) = fragment {
        address.push('#');
        address.push_str(fragment);
    }
    Some(address)
}

/// Joins base and address, which has no fragment, where that needs no parser: an address below the base's host or folder,
/// or with another query, in characters that stay as they are. The base is an address of the web.
fn join_plain(base: &Url, spelled: &str, to: &mut String) -> bool {
    let origin = &base[..Position::BeforePath];
    let rest = spelled.strip_prefix(origin).filter(|rest| rest.starts_with('/')).unwrap_or(spelled);
    let path_end = rest.bytes().position(|byte| byte == b'?').unwrap_or(rest.len());
    let (path, query) = rest.split_at(path_end);
    let start = match path.as_bytes() {
        [b'/', b'/', ..] | [b'.', ..] => return false,
        [b'/', ..] => origin,
        [] if query.is_empty() => &base[..Position::AfterQuery],
        [] => &base[..Position::AfterPath],
        path if path.contains(&b':') => return false,
        _ => {
            let path = &base[..Position::AfterPath];
            let Some(folder) = path.rfind('/') else { return false };
            &path[..=folder]
        }
    };
    if !is_plain_path(path) || !query.bytes().all(stays_as_it_is) {
        return false;
    }
    to.push_str(start);
    to.push_str(rest);
    true
}

/// The host of an absolute address of the web that no parser would change: letters in lower case, a path, no port.
fn plain_host(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"))?;
    let (host, path) = rest.split_at(rest.bytes().position(|byte| byte == b'/')?);
    let is_label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        (1..=LONGEST_LABEL).contains(&label.len())
            && label.bytes().all(|byte| plain(byte) || byte == b'-')
            && label.bytes().next().is_some_and(plain)
            && label.bytes().next_back().is_some_and(plain)
            // Names in other scripts, spelt in ASCII.
            && !label.contains("--")
    };
    // A host that ends in a number is one number.
    let is_name = host.rsplit('.').next()?.starts_with(|c: char| c.is_ascii_lowercase());
    let (path, query) = path.split_at(path.bytes().position(|byte| byte == b'?').unwrap_or(path.len()));
    let is_plain = is_name
        && host.len() <= LONGEST_HOST
        && host.split('.').all(is_label)
        && is_plain_path(path)
        && query.bytes().all(stays_as_it_is);
    is_plain.then_some(host)
}

/// Bytes of a host and of its parts.
const LONGEST_HOST: usize = 253;
const LONGEST_LABEL: usize = 63;

/// All of it stays as it is, and nothing leads upwards: no dots behind a slash, nor what may stand for them.
fn is_plain_path(path: &str) -> bool {
    let mut before = 0;
    // Without a way out of the loop, which is short for nearly all.
    path.bytes().fold(true, |plain, byte| {
        let leads_up = ((before == b'/') & (byte == b'.')) | ((before == b'%') & (byte == b'2'));
        before = byte;
        plain & stays_as_it_is(byte) & !leads_up
    })
}

impl Tree {
    /// Calls `each` for those of [`Tree::links`] whose address can be made out, in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree, Url};
    /// let page = Url::parse("https://shop.example/").ok();
    /// let html = b"<a href=/a#x>Next</a><a href=//b.example>B</a>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let mut found = Vec::new();
    /// tree.each_link(page.as_ref(), |link| found.push((link.address.to_owned(), link.same_site)));
    /// assert_eq!(found, [("https://shop.example/a".into(), true), ("https://b.example/".into(), false)]);
    /// ```
    pub fn each_link(&self, page: Option<&Url>, mut each: impl FnMut(QuickLink<'_>)) {
        let href_name = self.names.find("href");
        let (a, area) = (self.names.find("a"), self.names.find("area"));
        let budget = &RefCell::new(Budget::of(self));
        let mut resolver = Resolver::new(self, page.cloned());
        for node in self.nodes() {
            let name = Some(self.name_id(node));
            if name != a && name != area {
                continue;
            }
            let Some(href) = self.attr_by(node, href_name).map(str::trim) else { continue };
            if let Some(found) = resolver.resolve(href) {
                let Resolved { web, same_page, same_site } = found;
                let address = &resolver.address;
                each(QuickLink { node, address, web, same_page, same_site, tree: self, budget });
            }
        }
    }
}

/// Makes out the addresses of one page.
struct Resolver {
    base: Option<Url>,
    page: Option<Url>,
    /// Whether the base, if it is an address of the web, is of the page's site.
    web_base: Option<bool>,
    /// The last address that was made out.
    address: String,
}

/// What is known of an address.
struct Resolved {
    web: bool,
    same_page: bool,
    same_site: bool,
}

impl Resolver {
    fn new(tree: &Tree, page: Option<Url>) -> Self {
        let base = tree.base_over(page.clone());
        let page = page.map(without_fragment);
        let web_base = base
            .as_ref()
            .filter(|base| is_web(base))
            .map(|base| page.as_ref().is_some_and(|page| same_site(page, base)));
        Resolver { base, page, web_base, address: String::new() }
    }

    /// Makes out an address and leaves it in `address`.
    fn resolve(&mut self, href: &str) -> Option<Resolved> {
        self.address.clear();
        let (has_fragment, web, same_site) = match self.plain(href) {
            Some(has_fragment) => (has_fragment, true, self.web_base?),
            None => self.absolute(href).or_else(|| self.parsed(href))?,
        };
        let is_page = self.page.as_ref().is_some_and(|page| page.as_str() == self.address);
        Some(Resolved { web, same_page: is_page && (has_fragment || href.is_empty()), same_site })
    }

    /// What is known of an address, by a parser: whether it has a fragment, is one of the web, is of the page's site.
    fn parsed(&mut self, href: &str) -> Option<(bool, bool, bool)> {
        let url = resolve(self.base.as_ref(), href)?;
        let same_site = self.page.as_ref().is_some_and(|page| same_site(page, &url));
        let found = (url.fragment().is_some(), is_web(&url), same_site);
        self.address.push_str(without_fragment(url).as_str());
        Some(found)
    }

    /// The same of an absolute address that needs none.
    fn absolute(&mut self, href: &str) -> Option<(bool, bool, bool)> {
        let spelled = href.split('#').next().unwrap_or(href);
        let host = plain_host(spelled)?.trim_start_matches("www.");
        let is_own = |page: &Url| host_of(page) == Some(host) && page.port().is_none();
        self.address.push_str(spelled);
        Some((spelled.len() < href.len(), true, self.page.as_ref().is_some_and(is_own)))
    }

    /// The same where the base makes it one; says whether there was a fragment.
    fn plain(&mut self, href: &str) -> Option<bool> {
        self.web_base?;
        let (spelled, has_fragment) = match href.split_once('#') {
            Some((spelled, _)) => (spelled, true),
            None => (href, false),
        };
        join_plain(self.base.as_ref()?, spelled, &mut self.address).then_some(has_fragment)
    }
}

fn stays_as_it_is(byte: u8) -> bool {
    STAYS[usize::from(byte)]
}

/// The bytes of an address that no parser changes.
const STAYS: [bool; 256] = {
    let mut stays = [false; 256];
    let signs = b"/-_.~?=&%+,;:@!$*()";
    let mut at = 0;
    while at < signs.len() {
        stays[signs[at] as usize] = true;
        at += 1;
    }
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            stays[byte as usize] = true;
        }
        byte += 1;
    }
    stays
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    type Told = (NodeId, String, String, bool, bool, bool);

    /// What [`Tree::links`] says, in the same words.
    fn slowly(tree: &Tree, page_url: &str) -> Vec<Told> {
        let page = Url::parse(page_url).ok();
        let told = |link: crate::Link| {
            let url = link.url?;
            let same_site = page.as_ref().is_some_and(|page| same_site(page, &url));
            Some((link.node, url.into(), link.text, link.web, link.same_page, same_site))
        };
        tree.links(page_url).into_iter().filter_map(told).collect()
    }

    fn quickly(tree: &Tree, page_url: &str) -> Vec<Told> {
        let mut all = Vec::new();
        tree.each_link(Url::parse(page_url).ok().as_ref(), |link| {
            let (address, text) = (link.address.to_owned(), link.text().into_owned());
            all.push((link.node, address, text, link.web, link.same_page, link.same_site));
        });
        all
    }

    #[test]
    fn addresses_are_those_of_a_parser() {
        let parts =
            ["", "/", "//", ".", "..", "a", "b.html", "?", "x=1", "#", "%2e", "%41", " ", "'", ":", "é"];
        let starts =
            ["", "http://www.s.test", "https://s.test", "http://www.s.test:80", "mailto:", "http://o.test/"]
                .into_iter()
                .chain([
                    "http://O.test/",
                    "https://a-b.o.test/",
                    "http://o.7/",
                    "http://xn--a/",
                    "http://o..test/",
                ])
                .chain(["http://-o.test/", "http://www.www.s.test", "http://1.2.3.x4/", "http://u@o.test/"]);
        let bases =
            ["http://www.s.test/a/b?c#d", "https://s.test", "mailto:x@s.test", "http://www.s.test/é/"]
                .map(|base| Url::parse(base).unwrap());
        let mut html = String::new();
        for start in starts {
            for one in parts {
                for two in parts {
                    for three in parts {
                        let href = format!("{start}{one}{two}{three}");
                        for base in &bases {
                            let slowly = base.join(&href).ok().map(String::from);
                            assert_eq!(join(base, &href), slowly, "{href} on {base}");
                        }
                        html += &format!("<a href=\"{href}\">x<b>y</b> z</a>");
                    }
                }
            }
        }
        let pages = [
            "http://www.s.test",
            "http://www.s.test/d/p.html?q=1#f",
            "https://s.test:8080/d/",
            "http://u@www.s.test/../x",
            "mailto:a@b",
            "file:///c:/d/e",
            "none",
        ];
        for base in ["", "<base href=../up/>", "<base href=http://o.test/x/y>"] {
            let (tree, _) = Tree::parse(format!("{base}{html}").as_bytes(), None, &Limits::default());
            for page in pages {
                assert!(quickly(&tree, page) == slowly(&tree, page), "{base} {page}");
            }
        }
    }
}
