//! What a page calls itself.
//!
//! # What it does
//! Share of common markers: classes of `html`, `body` and `main`, outermost JSON-LD and microdata types, `og:type`, and on pages
//! that are empty until a script has run the names in the state they carry for it. What few or all pages have does not
//! count.
//! # Assumes
//! Content management systems write the page type there.
//! # When it fails
//! Pages that say nothing about themselves (no opinion).
//! # Paper
//! Ours.

use super::page_view::hash;
use super::{Expert, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "embedded",
    about: "what the page calls itself: body class, JSON-LD and microdata types, og:type",
    read,
    weigh: Weights::counted,
    weight: |weights, name| weights.marking(name.key),
    score,
};

fn read(page: &PageView<'_>) -> Features {
    let mut keys = Vec::new();
    let tree = page.tree;
    for node in tree.nodes().filter(|&node| matches!(tree.name(node), "html" | "body" | "main")) {
        // Further pages of a list are of the list's type, whatever they call themselves besides.
        let names = unsite_wrapper::raw_names(tree, node);
        for name in names.filter(|name| name.split('-').all(|piece| piece != "paged")) {
            keys.push(hash(&["name", &name]));
        }
    }
    // What is a property of something else (the reviews of a book) comes and goes with it: a page is what stands at the top.
    for leaf in tree.json_ld().iter().filter(|leaf| !leaf.path.contains('.')) {
        keys.push(hash(&["json-ld", &leaf.type_name]));
    }
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if let Some(kind) = tree.attr(node, "itemtype").filter(|_| tree.attr(node, "itemprop").is_none()) {
            keys.push(hash(&["item", kind.trim()]));
        }
    }
    if let Some(kind) = page.meta.get("og:type") {
        keys.push(hash(&["og", kind]));
    }
    if tree.is_script_shell() {
        keys.extend(tree.state().iter().map(|leaf| hash(&["state", &leaf.path])));
    }
    Features::of_keys(keys)
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, Tree};
    use unsite_wrapper::ClassMap;

    fn features(html: &str) -> Features {
        let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
        read(&PageView::new("http://a.test/", &tree, &ClassMap::default(), &[]))
    }

    #[test]
    fn parts_of_a_thing_do_not_say_what_the_page_is() {
        let book = features("<main itemscope itemtype=Book><p itemprop=name>x</p></main>");
        let reviewed = features(
            "<main itemscope itemtype=Book><p itemprop=review itemscope itemtype=Review>good</p></main>",
        );
        assert_eq!(book, reviewed);
        let linked = |offer: &str| {
            features(&format!(
                "<script type=application/ld+json>{{\"@type\":\"Book\",\"name\":\"x\"{offer}}}</script>"
            ))
        };
        assert_eq!(linked(""), linked(",\"offers\":{\"@type\":\"Offer\",\"price\":\"1\"}"));
        assert_ne!(book, features("<main itemscope itemtype=Person></main>"));
    }
}
