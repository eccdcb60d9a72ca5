//! Where a page leads to, and in which words.

use std::borrow::Cow;

use url::Url;

use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// Anchor texts are cut here, in bytes. The longest sensible ones, whole teasers, stay below.
const ANCHOR_LIMIT: usize = 2000;

/// One `a` or `area` with an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The element.
    pub node: NodeId,
    /// The address as written, without white space around it.
    pub href: String,
    /// The absolute address without its fragment; `None` where that cannot be made out.
    pub url: Option<Url>,
    /// What came after `#`, if anything did.
    pub fragment: Option<String>,
    /// The visible text; where there is none the `alt` of its images, then its `aria-label` or `title`.
    pub text: String,
    /// The `rel` tokens in lower case, with one space between them.
    pub rel: String,
    /// The address is `http` or `https`: something that a crawl could follow.
    pub web: bool,
    /// Leads to a place on the page that it stands on.
    pub same_page: bool,
}

impl Tree {
    /// What relative addresses are relative to: the first `<base href>`, itself resolved against the
    /// page's own address, or else the latter.
    pub fn base_url(&self, page_url: &str) -> Option<Url> {
        self.base_over(Url::parse(page_url).ok())
    }

    /// [`Tree::base_url`] of a page whose address was parsed before.
    pub(crate) fn base_over(&self, page: Option<Url>) -> Option<Url> {
        let href = self.elements("base").find_map(|base| self.attr(base, "href"));
        match (href, &page) {
            (Some(href), Some(page)) => page.join(href.trim()).ok(),
            (Some(href), None) => Url::parse(href.trim()).ok(),
            (None, _) => None,
        }
        .filter(|base| !base.cannot_be_a_base() && base.scheme() != "javascript")
        .or(page)
    }

    /// Every link in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<a href='../b?x=1#top'>Next  book</a>", None, &Limits::default());
    /// let link = tree.links("https://shop.example/a/list").remove(0);
    /// assert_eq!(link.url.unwrap().as_str(), "https://shop.example/b?x=1");
    /// assert_eq!((link.text.as_str(), link.fragment.as_deref()), ("Next book", Some("top")));
    /// ```
    pub fn links(&self, page_url: &str) -> Vec<Link> {
        let base = self.base_url(page_url);
        let page = Url::parse(page_url).ok().map(without_fragment);
        let (href, rel) = (self.names.find("href"), self.names.find("rel"));
        let (a, area) = (self.names.find("a"), self.names.find("area"));
        let mut budget = Budget::of(self);
        let mut links = Vec::new();
        for node in self.nodes() {
            let name = Some(self.name_id(node));
            if name != a && name != area {
                continue;
            }
            let Some(href) = self.attr_by(node, href).map(str::trim) else { continue };
            let resolved = resolve(base.as_ref(), href);
            let fragment = resolved.as_ref().and_then(|url| url.fragment()).map(str::to_owned);
            let url = resolved.map(without_fragment);
            links.push(Link {
                node,
                href: href.to_owned(),
                web: url.as_ref().is_some_and(is_web),
                same_page: url.is_some() && url == page && (fragment.is_some() || href.is_empty()),
                url,
                fragment,
                text: self.anchor_text(node, &mut budget).into_owned(),
                rel: self
                    .attr_by(node, rel)
                    .map_or_else(String::new, |rel| collapse(rel).to_ascii_lowercase()),
            });
        }
        links
    }

    pub(crate) fn anchor_text(&self, node: NodeId, budget: &mut Budget) -> Cow<'_, str> {
        let text = match budget.single_text(self, node, ANCHOR_LIMIT) {
            Some(text) => text,
            None => match budget.text(self, node, ANCHOR_LIMIT) {
                text if text.contains('\n') => Cow::Owned(text.replace('\n', " ")),
                text => Cow::Owned(text),
            },
        };
        if !text.is_empty() {
            return text;
        }
        let mut text = String::new();
        let images = budget.nodes(self, node).filter(|&below| self.name(below) == "img");
        for alt in images.filter_map(|image| self.attr(image, "alt")).map(collapse) {
            if !alt.is_empty() && text.len() < ANCHOR_LIMIT {
                text.push_str(if text.is_empty() { "" } else { " " });
                text.push_str(&alt);
            }
        }
        for name in ["alt", "aria-label", "title"] {
            if text.is_empty() {
                text = self.attr(node, name).map(collapse).unwrap_or_default().into_owned();
            }
        }
        text.truncate(text.floor_char_boundary(ANCHOR_LIMIT));
        Cow::Owned(text)
    }
}

/// Resolves an address as a browser would; `None` where there is nothing to resolve against or no sense in it.
pub(crate) fn resolve(base: Option<&Url>, address: &str) -> Option<Url> {
    match base {
        Some(base) => base.join(address).ok(),
        None => Url::parse(address).ok(),
    }
}

pub(crate) fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

pub(crate) fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// How much may be read for the texts of elements that can lie in one another. Honest pages never
/// come near it; without it, nesting would multiply the page.
pub(crate) struct Budget {
    text: usize,
    nodes: usize,
}

impl Budget {
    pub(crate) fn of(tree: &Tree) -> Self {
        Budget { text: 4 * tree.text_bytes() + 4096, nodes: 4 * tree.len() }
    }

    /// The visible text of a subtree, at most `limit` bytes of it and what the budget leaves.
    pub(crate) fn text(&mut self, tree: &Tree, node: NodeId, limit: usize) -> String {
        let size = (tree.end(node).0 - node.0) as usize;
        if self.nodes < size {
            return String::new();
        }
        self.nodes -= size;
        let text = tree.visible_text_within(node, limit.min(self.text));
        self.text -= text.len().min(self.text);
        text
    }

    /// [`Budget::text`] of an element with nothing but one text in it that fits: most links.
    fn single_text<'t>(&mut self, tree: &'t Tree, node: NodeId, limit: usize) -> Option<Cow<'t, str>> {
        let below = NodeId(node.0 + 1);
        let is_single = tree.end(node).0 == node.0 + 2 && tree.is_text(below) && self.nodes >= 2;
        let text = is_single.then(|| collapse(tree.text(below)))?;
        if text.is_empty() || limit.min(self.text) == 0 {
            return None;
        }
        self.nodes -= 2;
        self.text -= text.len().min(self.text);
        Some(text)
    }

    /// The nodes below, as long as the budget lasts.
    pub(crate) fn nodes(&mut self, tree: &Tree, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let size = (tree.end(node).0 - node.0) as usize;
        let taken = if self.nodes < size { 0 } else { size };
        self.nodes -= taken;
        tree.descendants(node).take(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn links(html: &str) -> Vec<Link> {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0.links("http://a.example/dir/page?q=1")
    }

    fn urls(html: &str) -> Vec<String> {
        links(html).into_iter().map(|link| link.url.map_or_else(String::new, String::from)).collect()
    }

    #[test]
    fn addresses_are_resolved_against_the_first_usable_base() {
        let html = "<a href=x>1</a><a href='//b.example/y'>2</a><a href='?p=2'>3</a><a href=' /z '>4</a>";
        assert_eq!(
            urls(html),
            [
                "http://a.example/dir/x",
                "http://b.example/y",
                "http://a.example/dir/page?p=2",
                "http://a.example/z"
            ]
        );
        assert_eq!(urls("<base target=_top><base href='/other/'><a href=x>"), ["http://a.example/other/x"]);
        assert_eq!(urls("<base href='data:,'><a href=x>"), ["http://a.example/dir/x"]);
        assert_eq!(urls("<a href='http://[bad'>"), [""]);
        assert_eq!(urls("<a name=x>"), [""; 0]);
    }

    #[test]
    fn fragments_and_other_schemes_are_told_apart() {
        let links = links("<a href='#top'>t</a><a href='mailto:a@b.example'>m</a><a href='other#x'>o</a>");
        assert!(links[0].same_page && links[0].web);
        assert_eq!(links[0].fragment.as_deref(), Some("top"));
        assert!(!links[1].web && !links[1].same_page);
        assert!(!links[2].same_page);
    }

    #[test]
    fn images_and_titles_stand_in_for_missing_text() {
        let html = "<a href=1><img alt=' A  cover '></a><a href=2 title=T></a><a href=3 rel=' NoFollow  me'>x<br>y</a>";
        let links = links(html);
        let texts: Vec<_> = links.iter().map(|link| link.text.as_str()).collect();
        assert_eq!(texts, ["A cover", "T", "x y"]);
        assert_eq!(links[2].rel, "nofollow me");
    }

    #[test]
    fn nested_links_do_not_multiply_the_page() {
        let html = format!("{}{}", "<a href=x><table><td>".repeat(200), "word ".repeat(10_000));
        let all: usize = links(&html).iter().map(|link| link.text.len()).sum();
        assert!(all <= 5 * html.len());
        let many = links(&"<a href=x>y</a>".repeat(100_000));
        assert!(many.iter().all(|link| link.text == "y"));
    }
}
