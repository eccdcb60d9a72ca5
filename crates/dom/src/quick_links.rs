//! Links made out quickly, for those who read every link of every page.

use std::borrow::Cow;
use std::cell::RefCell;

use memchr::memchr;
use url::{Position, Url};

use crate::bytes::{any_byte, any_pair};
use crate::links::{Budget, is_web, resolve, without_fragment};
use crate::text::{is_blank, trim};
use crate::tree::{NodeId, Tree};

/// Nodes of a link that are looked through for free; more are read within the [`Budget`] of the page.
const LARGE_LINK: u32 = 64;

/// A link whose address could be made out, see [`Link`](crate::Link).
pub struct QuickLink<'a> {
    /// The element.
    pub node: NodeId,
    /// What it says, without blanks around it.
    pub href: &'a str,
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
        let says =
            |(name, value): (&str, &str)| matches!(name, "alt" | "aria-label" | "title") && is_number(value);
        let below = |node: NodeId| match self.tree.is_text(node) {
            // All that is shown of it makes one number, so each part does.
            true => is_number(self.tree.text(node)) && !is_blank(self.tree.text(node)),
            false => self.tree.name(node) == "img" && self.tree.attr(node, "alt").is_some_and(is_number),
        };
        self.tree.descendants(self.node).any(below) || self.tree.attrs(self.node).any(says)
    }
}

/// Whether two addresses are of one site: the same host, `www.` aside.
pub fn same_site(a: &Url, b: &Url) -> bool {
    host_of(a) == host_of(b) && a.port() == b.port()
}

fn host_of(url: &Url) -> Option<&str> {
    url.host_str().map(|host| host.trim_start_matches("www."))
}

/// [`Url::join`] as text, for many addresses of one page; quick where no parser is needed, which is nearly everywhere.
///
/// ```
/// let base = unsite_dom::Url::parse("https://shop.example/a/b").unwrap();
/// let base = unsite_dom::Base::new(&base);
/// assert_eq!(base.join("c?x=1#y").as_deref(), Some("https://shop.example/a/c?x=1#y"));
/// assert_eq!(base.join("../ä").as_deref(), Some("https://shop.example/%C3%A4"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Base<'b> {
    url: &'b Url,
    beginnings: Option<Beginnings<'b>>,
}

impl<'b> Base<'b> {
    /// Addresses are joined to this one.
    pub fn new(url: &'b Url) -> Self {
        Base { url, beginnings: Beginnings::of(url) }
    }

    /// The whole address; `None` where there is none.
    pub fn join(&self, href: &str) -> Option<String> {
        let (spelled, fragment) = match memchr(b'#', href.as_bytes()) {
            Some(sign) => (&href[..sign], Some(&href[sign + 1..])),
            None => (href, None),
        };
        let mut address = String::with_capacity(self.url.as_str().len() + href.len());
        let keeps = fragment.is_none_or(stays);
        if !keeps || !self.beginnings.is_some_and(|base| base.join(spelled, &mut address)) {
            if !keeps || plain_host(spelled).is_none() {
                return self.url.join(href).ok().map(String::from);
            }
            address.push_str(spelled);
        }
        if let Some(fragment) = fragment {
            address.push('#');
            address.push_str(fragment);
        }
        Some(address)
    }
}

/// The beginnings of a base, an address of the web, that other addresses go on with.
#[derive(Debug, Clone, Copy)]
struct Beginnings<'b> {
    /// Up to the path.
    origin: &'b str,
    /// Up to the last slash of the path.
    folder: &'b str,
    /// Up to the end of the path.
    path: &'b str,
    /// All but the fragment.
    query: &'b str,
}

impl<'b> Beginnings<'b> {
    fn of(base: &'b Url) -> Option<Self> {
        let path = &base[..Position::AfterPath];
        let folder = &path[..=path.rfind('/')?];
        let (origin, query) = (&base[..Position::BeforePath], &base[..Position::AfterQuery]);
        is_web(base).then_some(Beginnings { origin, folder, path, query })
    }

    /// Joins base and address, which has no fragment, where that needs no parser: an address below the base's host or
    /// folder, or with another query, in characters that stay as they are.
    fn join(self, spelled: &str, to: &mut String) -> bool {
        let rest = spelled.strip_prefix(self.origin).filter(|rest| rest.starts_with('/')).unwrap_or(spelled);
        let path_end = memchr(b'?', rest.as_bytes()).unwrap_or(rest.len());
        let (path, query) = rest.split_at(path_end);
        let start = match path.as_bytes() {
            [b'/', b'/', ..] | [b'.', ..] => return false,
            [b'/', ..] => self.origin,
            [] if query.is_empty() => self.query,
            [] => self.path,
            path if memchr(b':', path).is_some() => return false,
            _ => self.folder,
        };
        if !is_plain_path(path) || !stays(query) {
            return false;
        }
        to.push_str(start);
        to.push_str(rest);
        true
    }
}

/// The host of an absolute address of the web that no parser would change: letters in lower case, a path, no port.
fn plain_host(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"))?;
    let (host, path) = rest.split_at(memchr(b'/', rest.as_bytes())?);
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
    let (path, query) = path.split_at(memchr(b'?', path.as_bytes()).unwrap_or(path.len()));
    let is_plain = is_name
        && host.len() <= LONGEST_HOST
        && host.split('.').all(is_label)
        && is_plain_path(path)
        && stays(query);
    is_plain.then_some(host)
}

/// A script, or a mail address, that no parser would change.
fn is_plain_command(address: &str) -> bool {
    let is_odd = |byte: u8| !(0x21..=0x7e).contains(&byte) | (byte == b'?') | (byte == b'#');
    let said = ["javascript:", "mailto:"].iter().find_map(|scheme| address.strip_prefix(scheme));
    said.is_some_and(|said| !said.starts_with('/')) && !any_byte(address.as_bytes(), is_odd)
}

/// Bytes of a host and of its parts.
const LONGEST_HOST: usize = 253;
const LONGEST_LABEL: usize = 63;

/// All of it stays as it is, and nothing leads upwards: no dots behind a slash, nor what may stand for them.
fn is_plain_path(path: &str) -> bool {
    let leads_up = |one: u8, next: u8| ((one == b'/') & (next == b'.')) | ((one == b'%') & (next == b'2'));
    stays(path) && !any_pair(path.as_bytes(), leads_up)
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
    pub fn each_link(&self, page: Option<&Url>, each: impl FnMut(QuickLink<'_>)) {
        self.each_link_unless(page, |_, _| false, each);
    }

    /// The same but for links that are passed over, by what they say and what that is joined to, before they are made out.
    pub fn each_link_unless(
        &self,
        page: Option<&Url>,
        mut is_passed_over: impl FnMut(&str, Option<&Url>) -> bool,
        mut each: impl FnMut(QuickLink<'_>),
    ) {
        let href_name = self.names.find("href");
        let (a, area) = (self.names.find("a"), self.names.find("area"));
        let budget = &RefCell::new(Budget::of(self));
        let base = self.base_over(page.cloned());
        let mut resolver = Resolver::new(base.as_ref(), page);
        for node in self.nodes() {
            let name = Some(self.name_id(node));
            if name != a && name != area {
                continue;
            }
            let Some(href) = self.attr_by(node, href_name).map(trim) else { continue };
            if is_passed_over(href, base.as_ref()) {
                continue;
            }
            if let Some(found) = resolver.resolve(href) {
                let Resolved { web, same_page, same_site } = found;
                let address = &resolver.address;
                each(QuickLink { node, href, address, web, same_page, same_site, tree: self, budget });
            }
        }
    }
}

/// Makes out the addresses of one page.
struct Resolver<'u> {
    base: Option<&'u Url>,
    /// The page without a fragment.
    page: Option<&'u Url>,
    own: &'u str,
    /// Where the base is an address of the web: what addresses begin with, and whether it is of the page's site.
    web_base: Option<(Beginnings<'u>, bool)>,
    /// The last address that was made out.
    address: String,
}

/// What is known of an address.
struct Resolved {
    web: bool,
    same_page: bool,
    same_site: bool,
}

impl<'u> Resolver<'u> {
    fn new(base: Option<&'u Url>, page: Option<&'u Url>) -> Self {
        let is_own = |base: &Url| page.is_some_and(|page| same_site(page, base));
        let web_base = base.and_then(|base| Some((Beginnings::of(base)?, is_own(base))));
        let own = page.map_or("", |page| &page[..Position::AfterQuery]);
        Resolver { base, page, own, web_base, address: String::new() }
    }

    /// Makes out an address and leaves it in `address`.
    fn resolve(&mut self, href: &str) -> Option<Resolved> {
        self.address.clear();
        let (has_fragment, web, same_site) = match self.plain(href) {
            Some(found) => found,
            None => self.absolute(href).or_else(|| self.parsed(href))?,
        };
        let is_page = self.page.is_some() && self.own == self.address;
        Some(Resolved { web, same_page: is_page && (has_fragment || href.is_empty()), same_site })
    }

    /// What is known of an address, by a parser: whether it has a fragment, is one of the web, is of the page's site.
    fn parsed(&mut self, href: &str) -> Option<(bool, bool, bool)> {
        let url = resolve(self.base, href)?;
        let same_site = self.page.is_some_and(|page| same_site(page, &url));
        let found = (url.fragment().is_some(), is_web(&url), same_site);
        self.address.push_str(without_fragment(url).as_str());
        Some(found)
    }

    /// The same of an absolute address that needs none.
    fn absolute(&mut self, href: &str) -> Option<(bool, bool, bool)> {
        if is_plain_command(href) {
            self.address.push_str(href);
            let is_own = |page: &Url| host_of(page).is_none() && page.port().is_none();
            return Some((false, false, self.page.is_some_and(is_own)));
        }
        let spelled = &href[..memchr(b'#', href.as_bytes()).unwrap_or(href.len())];
        let host = plain_host(spelled)?.trim_start_matches("www.");
        let is_own = |page: &Url| host_of(page) == Some(host) && page.port().is_none();
        self.address.push_str(spelled);
        Some((spelled.len() < href.len(), true, self.page.is_some_and(is_own)))
    }

    /// The same where the base makes it one.
    fn plain(&mut self, href: &str) -> Option<(bool, bool, bool)> {
        let (base, same_site) = self.web_base?;
        let spelled = &href[..memchr(b'#', href.as_bytes()).unwrap_or(href.len())];
        base.join(spelled, &mut self.address).then_some((spelled.len() < href.len(), true, same_site))
    }
}

/// No parser would change any of it: letters, digits, and `/-_.~?=&%+,;:@!$*()`.
fn stays(part: &str) -> bool {
    // Ranges, which many bytes at a time can be held against; `()*+,-./`, digits and `:;` are one.
    let stays = |byte: u8| {
        let within = |first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
        within(b'(', b';')
            | within(b'?', b'Z')
            | within(b'a', b'z')
            | within(b'$', b'&')
            | (byte == b'=')
            | (byte == b'_')
            | (byte == b'~')
            | (byte == b'!')
    };
    !any_byte(part.as_bytes(), |byte| !stays(byte))
}

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
    fn what_stays_is_what_a_parser_leaves() {
        for byte in 0..128u8 {
            let is_such = byte.is_ascii_alphanumeric() || b"/-_.~?=&%+,;:@!$*()".contains(&byte);
            assert_eq!(stays(&String::from(char::from(byte))), is_such, "{byte}");
        }
        assert!(stays("") && !stays("é"));
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
                .chain([
                    "http://-o.test/",
                    "http://www.www.s.test",
                    "http://1.2.3.x4/",
                    "http://u@o.test/",
                    "javascript:",
                ]);
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
                            assert_eq!(Base::new(base).join(&href), slowly, "{href} on {base}");
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
