//! Writing HTML: escaping, balanced elements, and the changes a redesign makes to every element.

use crate::knobs::{Change, Knobs};
use crate::rng::{Rng, hash};

/// How a family writes markup, whatever the element.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Look {
    /// Upper-case tag names, as hand-written pages of the 1990s and 2000s have.
    pub(crate) uppercase: bool,
    /// No white space between tags.
    pub(crate) minified: bool,
    /// Class names are replaced by hashes, as style compilers do.
    pub(crate) hashed: bool,
    /// No classes and no ids.
    pub(crate) classless: bool,
}

/// A page being written. Selectors are `tag.class.class#id`; elements always close.
pub(crate) struct Html<'a> {
    out: String,
    look: Look,
    knobs: &'a Knobs,
    depth: usize,
    /// The last tag written closed a block, so the parent's end tag goes on its own line.
    after_block: bool,
    /// The page's own stream of choices.
    pub(crate) rng: Rng,
}

/// Elements that flow with text: no line breaks around them.
const INLINE: [&str; 21] = [
    "a", "abbr", "b", "br", "button", "cite", "del", "em", "font", "i", "img", "input", "label", "s",
    "small", "span", "strong", "sup", "time", "title", "u",
];
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
/// Containers that may take one more `div` inside.
const NESTABLE: [&str; 7] = ["article", "aside", "dd", "div", "li", "section", "td"];

impl<'a> Html<'a> {
    pub(crate) fn new(look: Look, knobs: &'a Knobs, rng: Rng) -> Self {
        Html { out: String::with_capacity(16 * 1024), look, knobs, depth: 0, after_block: false, rng }
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push('\n');
        self.out
    }

    /// An element with content.
    pub(crate) fn el(&mut self, selector: &str, attrs: &[(&str, &str)], inner: impl FnOnce(&mut Self)) {
        let tag = self.start(selector, attrs);
        let nested = self.nests(selector);
        self.depth += 1;
        if nested {
            self.start("div.inner", &[]);
            self.depth += 1;
        }
        inner(self);
        if nested {
            self.depth -= 1;
            self.end("div.inner");
        }
        self.depth -= 1;
        debug_assert!(!VOID.contains(&tag));
        self.end(selector);
    }

    /// An element that holds one text.
    pub(crate) fn leaf(&mut self, selector: &str, attrs: &[(&str, &str)], text: &str) {
        self.el(selector, attrs, |w| w.text(text));
    }

    /// An element without content or end tag.
    pub(crate) fn void(&mut self, selector: &str, attrs: &[(&str, &str)]) {
        self.start(selector, attrs);
    }

    /// Text, escaped.
    pub(crate) fn text(&mut self, text: &str) {
        escape_text(text, &mut self.out);
        self.after_block = false;
    }

    /// Markup that is right as it stands: entities, scripts, the document type.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
        self.after_block = false;
    }

    /// A comment on a line of its own.
    pub(crate) fn comment(&mut self, text: &str) {
        self.break_line();
        self.out.push_str("<!-- ");
        self.out.push_str(&text.replace("--", "- -"));
        self.out.push_str(" -->");
        self.after_block = true;
    }

    /// True at the noise rate: this place gets something extra.
    pub(crate) fn noisy(&mut self) -> bool {
        self.rng.chance(self.knobs.noise)
    }

    /// True when the redesign has this change.
    pub(crate) fn changes(&self, change: Change) -> bool {
        self.knobs.changes(change)
    }

    fn start(&mut self, selector: &str, attrs: &[(&str, &str)]) -> &'static str {
        let tag = self.tag(selector);
        if !INLINE.contains(&tag) {
            self.break_line();
        }
        self.out.push('<');
        self.push_tag(tag);
        let mut classes = Vec::new();
        let mut id = None;
        let wanted = if self.look.classless { Vec::new() } else { names(selector) };
        for (kind, name) in wanted {
            let name = self.renamed(name);
            if kind == '#' { id = Some(name) } else { classes.push(name) }
        }
        if let Some(id) = id {
            self.attribute("id", &id);
        }
        if !classes.is_empty() {
            self.attribute("class", &classes.join(" "));
        }
        for (name, value) in attrs {
            self.attribute(name, value);
        }
        self.out.push('>');
        self.after_block = VOID.contains(&tag) && !INLINE.contains(&tag);
        tag
    }

    fn end(&mut self, selector: &str) {
        let tag = self.tag(selector);
        let block = !INLINE.contains(&tag);
        if block && self.after_block {
            self.break_line();
        }
        self.out.push_str("</");
        self.push_tag(tag);
        self.out.push('>');
        self.after_block = block;
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape_attribute(value, &mut self.out);
        self.out.push('"');
    }

    fn push_tag(&mut self, tag: &str) {
        if self.look.uppercase {
            self.out.push_str(&tag.to_ascii_uppercase());
        } else {
            self.out.push_str(tag);
        }
    }

    fn break_line(&mut self) {
        if self.look.minified || self.out.is_empty() {
            return;
        }
        let irregular = self.knobs.noise > 0.0 && self.rng.chance(self.knobs.noise / 8.0);
        self.out.push_str(if irregular { "  \n\n\t" } else { "\n" });
        for _ in 0..self.depth.min(24) {
            self.out.push_str("  ");
        }
    }

    /// The tag as the redesign writes it.
    fn tag(&self, selector: &str) -> &'static str {
        let tag = &selector[..selector.find(['.', '#']).unwrap_or(selector.len())];
        let changed = self.knobs.changes(Change::ChangeTags);
        let known = TAGS.iter().find(|(from, _)| *from == tag);
        known.map_or("div", |&(from, to)| if changed { to } else { from })
    }

    fn renamed(&self, name: &str) -> String {
        let renamed = self.knobs.changes(Change::RenameClasses);
        if self.look.hashed {
            let salt = if renamed { "second build" } else { "first build" };
            let hashed = hash(&format!("{salt} {name}"));
            return format!("css-{}", base36(hashed, 6));
        }
        if renamed {
            let mut parts: Vec<&str> = name.split('-').collect();
            parts.reverse();
            return format!("l-{}", parts.join("_"));
        }
        name.to_string()
    }

    fn nests(&self, selector: &str) -> bool {
        let tag = &selector[..selector.find(['.', '#']).unwrap_or(selector.len())];
        // The choice hangs on the selector alone, so that all pages of a type change alike. Without classes a tag is
        // one selector, and half of those few would be none or all by accident.
        let chosen = self.look.classless || hash(selector) & 1 == 0;
        self.knobs.changes(Change::NewNesting) && NESTABLE.contains(&tag) && chosen
    }
}

/// Every tag the templates use, with the one a redesign puts in its place.
const TAGS: [(&str, &str); 59] = [
    ("a", "a"),
    ("abbr", "abbr"),
    ("article", "div"),
    ("aside", "div"),
    ("b", "strong"),
    ("blockquote", "div"),
    ("body", "body"),
    ("br", "br"),
    ("button", "button"),
    ("center", "div"),
    ("cite", "em"),
    ("dd", "dd"),
    ("del", "s"),
    ("div", "section"),
    ("dl", "dl"),
    ("dt", "dt"),
    ("em", "i"),
    ("figure", "div"),
    ("font", "span"),
    ("footer", "div"),
    ("form", "form"),
    ("h1", "h1"),
    ("h2", "h3"),
    ("h3", "h4"),
    ("h4", "h5"),
    ("head", "head"),
    ("header", "div"),
    ("hr", "hr"),
    ("html", "html"),
    ("i", "em"),
    ("img", "img"),
    ("input", "input"),
    ("label", "label"),
    ("li", "li"),
    ("link", "link"),
    ("main", "div"),
    ("meta", "meta"),
    ("nav", "div"),
    ("noscript", "noscript"),
    ("ol", "ul"),
    ("p", "p"),
    ("s", "del"),
    ("script", "script"),
    ("section", "div"),
    ("small", "span"),
    ("span", "b"),
    ("strong", "b"),
    ("style", "style"),
    ("sup", "sup"),
    ("table", "table"),
    ("tbody", "tbody"),
    ("td", "td"),
    ("th", "td"),
    ("thead", "thead"),
    ("time", "span"),
    ("title", "title"),
    ("tr", "tr"),
    ("u", "b"),
    ("ul", "ol"),
];

/// The class and id names of a selector, with the sign before each.
fn names(selector: &str) -> Vec<(char, &str)> {
    let mut found = Vec::new();
    let mut rest = selector;
    while let Some(at) = rest.find(['.', '#']) {
        let sign = if rest[at..].starts_with('#') { '#' } else { '.' };
        rest = &rest[at + 1..];
        found.push((sign, &rest[..rest.find(['.', '#']).unwrap_or(rest.len())]));
    }
    found
}

fn base36(mut number: u64, digits: usize) -> String {
    let mut out = String::new();
    for _ in 0..digits {
        out.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    out
}

/// Text content: `&`, `<` and `>` become references.
pub(crate) fn escape_text(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(c),
        }
    }
}

/// An attribute in double quotes.
pub(crate) fn escape_attribute(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(knobs: &Knobs, look: Look, fill: impl FnOnce(&mut Html)) -> String {
        let mut w = Html::new(look, knobs, Rng::new(1, "test"));
        fill(&mut w);
        w.out
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let knobs = Knobs::default();
        let html = write(&knobs, Look::default(), |w| {
            w.leaf("a.x#y", &[("href", "?a=1&b=\"2\"")], "<Hart & Vane>");
        });
        assert_eq!(
            html,
            "<a id=\"y\" class=\"x\" href=\"?a=1&amp;b=&quot;2&quot;\">&lt;Hart &amp; Vane&gt;</a>"
        );
    }

    #[test]
    fn comments_cannot_end_early() {
        let knobs = Knobs::default();
        let html = write(&knobs, Look { minified: true, ..Look::default() }, |w| w.comment("a --> b"));
        assert_eq!(html, "<!-- a - -> b -->");
    }

    #[test]
    fn a_redesign_touches_classes_tags_and_nesting() {
        let plain = Knobs { noise: 0.0, ..Knobs::default() };
        let look = Look { minified: true, ..Look::default() };
        let page = |w: &mut Html| w.el("div.book-card", &[], |w| w.leaf("span.price", &[], "1"));
        assert_eq!(
            write(&plain, look, page),
            "<div class=\"book-card\"><span class=\"price\">1</span></div>"
        );
        let with = |change| Knobs { redesign: [change].into(), ..plain.clone() };
        assert_eq!(
            write(&with(Change::RenameClasses), look, page),
            "<div class=\"l-card_book\"><span class=\"l-price\">1</span></div>"
        );
        assert_eq!(
            write(&with(Change::ChangeTags), look, page),
            "<section class=\"book-card\"><b class=\"price\">1</b></section>"
        );
        let hashed = Look { hashed: true, ..look };
        assert_ne!(write(&plain, hashed, page), write(&with(Change::RenameClasses), hashed, page));
    }
}
