//! What a page says about itself.

use url::Url;

use crate::links::{Budget, resolve};
use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// Titles and headings are cut here, in bytes.
const HEADING_LIMIT: usize = 1000;

/// Title, declarations and headings of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// The text of the first `title`; empty where there is none.
    pub title: String,
    /// `meta` elements with `name`, `property` or `itemprop` (in lower case) and their content, in order.
    pub properties: Vec<(String, String)>,
    /// The address that the page calls its own (`link rel=canonical`), resolved.
    pub canonical: Option<Url>,
    /// The language tag of the `html` element, in lower case (`en-gb`), or of `content-language`.
    pub language: Option<String>,
    /// The `class` of the body, with one space between classes: many systems write the page type here.
    pub body_class: String,
    /// `h1` to `h6` with text, in order.
    pub headings: Vec<Heading>,
}

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The element.
    pub node: NodeId,
    /// 1 for `h1`, 6 for `h6`.
    pub level: u8,
    /// Its visible text on one line.
    pub text: String,
}

impl Meta {
    /// The content of the first property of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(have, _)| have == name).map(|(_, content)| content.as_str())
    }
}

impl Tree {
    /// Title, meta elements, canonical address, language and headings in one pass.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let html = b"<html lang=en><title>Larkspur - Shop</title><meta name=author content='J. Doe'><h1>Larkspur</h1>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let meta = tree.meta("https://shop.example/");
    /// assert_eq!(meta.title, "Larkspur - Shop");
    /// assert_eq!(meta.get("author"), Some("J. Doe"));
    /// assert_eq!(meta.headings[0].text, "Larkspur");
    /// ```
    pub fn meta(&self, page_url: &str) -> Meta {
        let mut meta =
            Meta { language: self.root().and_then(|html| self.language_tag(html)), ..Meta::default() };
        let base = self.base_url(page_url);
        let mut budget = Budget::of(self);
        let mut titled = false;
        // Drawings have titles of their own.
        let mut drawing_until = 0;
        for node in self.nodes() {
            match self.name(node) {
                "svg" => drawing_until = self.end(node).0.max(drawing_until),
                "title" if !titled && node.0 >= drawing_until => {
                    titled = true;
                    meta.title = one_line(budget.text(self, node, HEADING_LIMIT));
                }
                "meta" => self.read_meta(node, &mut meta),
                "link" if meta.canonical.is_none() && self.has_token(node, "rel", "canonical") => {
                    meta.canonical =
                        self.attr(node, "href").and_then(|href| resolve(base.as_ref(), href.trim()));
                }
                "body" if meta.body_class.is_empty() => {
                    meta.body_class = self
                        .attr(node, "class")
                        .map_or_else(String::new, |class| collapse(class).into_owned());
                }
                name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                    let text = one_line(budget.text(self, node, HEADING_LIMIT));
                    if !text.is_empty() {
                        meta.headings.push(Heading { node, level: name.as_bytes()[1] - b'0', text });
                    }
                }
                _ => {}
            }
        }
        meta
    }

    /// True when the attribute's value, a list of words, holds `token`.
    pub(crate) fn has_token(&self, node: NodeId, attribute: &str, token: &str) -> bool {
        self.attr(node, attribute)
            .is_some_and(|value| value.split_whitespace().any(|have| have.eq_ignore_ascii_case(token)))
    }

    pub(crate) fn language_tag(&self, html: NodeId) -> Option<String> {
        let tag = self.attr(html, "lang").or_else(|| self.attr(html, "xml:lang"))?.trim();
        (!tag.is_empty()).then(|| tag.to_ascii_lowercase().replace('_', "-"))
    }

    fn read_meta(&self, node: NodeId, meta: &mut Meta) {
        let Some(content) = self.attr(node, "content").map(collapse) else { return };
        if let Some(directive) = self.attr(node, "http-equiv") {
            if directive.trim().eq_ignore_ascii_case("content-language")
                && meta.language.is_none()
                && !content.is_empty()
            {
                meta.language = Some(content.to_ascii_lowercase());
            }
            return;
        }
        let name = ["property", "name", "itemprop"].iter().find_map(|name| self.attr(node, name));
        if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) {
            meta.properties.push((name.to_ascii_lowercase(), content.into_owned()));
        }
    }
}

pub(crate) fn one_line(text: String) -> String {
    if text.contains('\n') { text.replace('\n', " ") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn meta(html: &str) -> Meta {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0.meta("http://a.example/x/y")
    }

    #[test]
    fn everything_is_read() {
        let meta = meta(
            "<html lang=EN_GB><head><title> A\n b </title><meta property='og:Title' content=' T '>\
             <meta name=author content=J><meta name=empty><link rel='Canonical nofollow' href='../c'></head>\
             <body class='item  page'><svg><title>no</title></svg><h2>Two<br>lines</h2><h1></h1><h6>six</h6>",
        );
        assert_eq!(meta.title, "A b");
        assert_eq!(meta.get("og:title"), Some("T"));
        assert_eq!(meta.properties.len(), 2);
        assert_eq!(meta.canonical.map(String::from).as_deref(), Some("http://a.example/c"));
        assert_eq!(meta.language.as_deref(), Some("en-gb"));
        assert_eq!(meta.body_class, "item page");
        let headings: Vec<_> = meta.headings.iter().map(|h| (h.level, h.text.as_str())).collect();
        assert_eq!(headings, [(2, "Two lines"), (6, "six")]);
    }

    #[test]
    fn an_empty_page_says_nothing() {
        assert_eq!(meta(""), Meta::default());
        assert_eq!(meta("<svg><title>x</title></svg>").title, "");
        assert_eq!(meta("<meta http-equiv=Content-Language content=DE>").language.as_deref(), Some("de"));
    }
}
