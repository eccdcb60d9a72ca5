//! Where a page leads to, read once for everything that depends on it.

use std::cell::OnceCell;

use unsite_dom::{NodeId, QuickLink, Tree, Url};
use xxhash_rust::xxh3::xxh3_64;

use crate::frame::FrameLinks;

/// A page of a list is called by at most so many digits.
const NUMBER_DIGITS: usize = 5;

/// The key under which an address is known to the frame.
pub fn address_key(url: &Url) -> u64 {
    key(url.as_str())
}

fn key(address: &str) -> u64 {
    xxh3_64(address.as_bytes())
}

/// The links of a page to other web pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// The page's own address, without a fragment.
    pub(crate) page: Option<Url>,
    /// Those into the same site, in document order, the page itself left out.
    pub(crate) site: Vec<SiteLink>,
    targets: Vec<u64>,
}

/// A link into the same site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SiteLink {
    pub node: NodeId,
    pub key: u64,
    /// Its text is a number and so is part of its address: a page of a list.
    pub numbered: bool,
    /// It leads below the page's own address: a part of a gallery, an entry of a section.
    pub below: bool,
}

impl PageLinks {
    /// Reads a page.
    pub fn of(tree: &Tree, page_url: &str) -> Self {
        PageLinks::with_each(tree, page_url, |_, _| ())
    }

    /// Reads a page and tells `each` link on the way, with the key of its address: those to the page itself too.
    pub fn with_each(tree: &Tree, page_url: &str, mut each: impl FnMut(&QuickLink<'_>, u64)) -> Self {
        let page = own_address(page_url);
        let own = page.as_ref().map(address_key);
        let own_path = page.as_ref().map(|page| page.path().trim_end_matches('/'));
        let mut links = PageLinks::default();
        tree.each_link(page.as_ref(), |link| {
            if !link.web || link.same_page {
                return;
            }
            let key = key(link.address);
            each(&link, key);
            if Some(key) == own {
                return;
            }
            links.targets.push(key);
            if link.same_site {
                let below = own_path.is_some_and(|own| is_below(link.address, own));
                links.site.push(SiteLink { node: link.node, key, numbered: is_numbered(&link), below });
            }
        });
        links.targets = sorted(links.targets.into_iter());
        links.page = page;
        links
    }

    /// The links of a page that do not belong to the frame, which most do; [`PageLinks::targets`] are not told.
    pub(crate) fn outside(tree: &Tree, page_url: &str, frame: &[u64]) -> Self {
        let page = own_address(page_url);
        let own = page.as_ref().map(address_key);
        let own_path = page.as_ref().map(|page| page.path().trim_end_matches('/'));
        let known: OnceCell<Option<FrameLinks>> = OnceCell::new();
        let mut site = Vec::new();
        let is_known = |href: &str, base: Option<&Url>| {
            let known = known.get_or_init(|| FrameLinks::new(frame, base?));
            known.as_ref().is_some_and(|known| known.knows(href))
        };
        tree.each_link_unless(page.as_ref(), is_known, |link| {
            let key = key(link.address);
            if !link.web || frame.binary_search(&key).is_ok() {
                if let Some(Some(known)) = known.get() {
                    known.remember(link.href);
                }
            } else if link.same_site && !link.same_page && Some(key) != own {
                let below = own_path.is_some_and(|own| is_below(link.address, own));
                site.push(SiteLink { node: link.node, key, numbered: is_numbered(&link), below });
            }
        });
        PageLinks { page, site, targets: Vec::new() }
    }

    /// The key of the page's own address; `None` where that makes no sense.
    pub fn own_key(&self) -> Option<u64> {
        self.page.as_ref().map(address_key)
    }

    /// The keys of the distinct pages that the page leads to, on its own and on other sites, sorted; itself left out.
    pub fn targets(&self) -> &[u64] {
        &self.targets
    }
}

/// Keys in order, each once.
pub(crate) fn sorted(keys: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut keys: Vec<u64> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether a page leads to something outside the frame that was found: neither to the search page itself nor to one that
/// still carries the question (another order, another page, a login that comes back). On other sites, where the answers of
/// search engines lie, links that hold the question anywhere (share it, ask it elsewhere) do not count.
pub(crate) fn leads_on(tree: &Tree, page: &Url, frame: &[u64], asked: &[String]) -> bool {
    let own = address_key(page);
    let mut found = false;
    tree.each_link(Some(page), |link| {
        let key = key(link.address);
        let is_page = link.same_page || (link.same_site && key == own);
        if found || !link.web || is_page || frame.binary_search(&key).is_ok() {
            return;
        }
        let Ok(url) = Url::parse(link.address) else { return };
        let carries = |is_asked: fn(&str, &str) -> bool| {
            url.query_pairs().any(|(_, value)| asked.iter().any(|asked| is_asked(&value, asked)))
        };
        found = match link.same_site {
            true => {
                (page.path() != url.path() || page.path() == "/") && !carries(|value, asked| value == asked)
            }
            false => !carries(|value, asked| value.contains(asked)),
        };
    });
    found
}

fn own_address(page_url: &str) -> Option<Url> {
    let mut page = Url::parse(page_url).ok()?;
    page.set_fragment(None);
    Some(page)
}

fn is_numbered(link: &QuickLink<'_>) -> bool {
    if !link.address.bytes().any(|b| b.is_ascii_digit()) || !link.may_be_number() {
        return false;
    }
    let text = link.text();
    let number = text.trim();
    !number.is_empty() && number.len() <= NUMBER_DIGITS && number.bytes().all(|b| b.is_ascii_digit())
}

/// Whether an absolute address of the web stands below a path.
fn is_below(address: &str, path: &str) -> bool {
    let after_scheme = ["http://", "https://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    let after_scheme = after_scheme.unwrap_or(address);
    let own = after_scheme.find('/').map_or("", |start| &after_scheme[start..]);
    if !own.starts_with(path) {
        return false;
    }
    let own = own.split('?').next().unwrap_or(own);
    let rest = own.strip_prefix(path).and_then(|rest| rest.strip_prefix('/'));
    rest.is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use unsite_dom::Limits;

    use super::*;

    #[test]
    fn links_outside_the_frame_are_the_same_whatever_was_read_before() {
        let html = b"<a href=/menu>m</a><a href='http://s.test/menu'>m</a><a href=menu>m</a><a href=3>3</a>\
            <a href='/a/b/c'>c</a><a href='?p=2'>2</a><a href=''>own</a><a href='#x'>x</a><a href='mailto:a@s.test'>w</a>\
            <a href='//o.test/'>o</a><a href='../menu'>up</a><a href='menu#top'>top</a>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let frames = [
            vec![],
            vec![key("http://s.test/menu")],
            vec![key("http://s.test/a/menu"), key("http://s.test/menu")],
        ];
        let pages =
            ["http://s.test/a/b", "http://s.test/x", "http://s.test/", "http://t.test/a/b", "file:///a/b"];
        // Twice, so that everything that can be remembered is.
        for _ in 0..2 {
            for mut frame in frames.clone() {
                frame.sort_unstable();
                for page in pages {
                    let all = PageLinks::of(&tree, page);
                    let is_outside = |link: &&SiteLink| frame.binary_search(&link.key).is_err();
                    let expected: Vec<SiteLink> = all.site.iter().filter(is_outside).copied().collect();
                    assert_eq!(PageLinks::outside(&tree, page, &frame).site, expected, "{page}");
                }
            }
        }
    }
}
