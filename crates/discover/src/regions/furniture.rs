//! What frames the text of a page: navigation, comments, share bars, teasers of other pages.

use super::blocks::Block;
use super::main_text::reads_like_prose;
use unsite_dom::{NodeId, Tree};

/// For each block whether it stands in furniture: in an element that is made for it or whose `class`, `id` or `role`
/// says so. An element with most of the page's prose is none, whatever it is called.
pub(super) fn furniture(tree: &Tree, blocks: &[Block]) -> Vec<bool> {
    let mut prose = vec![0.0; tree.len() + 1];
    for block in blocks.iter().filter(|block| reads_like_prose(block)) {
        prose[block.start.index() + 1] += block.width;
    }
    for at in 1..prose.len() {
        prose[at] += prose[at - 1];
    }
    let all = prose[tree.len()];
    let share = |node: NodeId| (prose[tree.end(node).index()] - prose[node.index()]) / f64::max(all, 1.0);
    let mut is_furniture = vec![false; blocks.len()];
    let (mut at, mut until) = (0, NodeId(0));
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if node < until
            || !(is_made_for_it(tree, node) || is_named_so(tree, node))
            || share(node) > LARGEST_SHARE
        {
            continue;
        }
        until = tree.end(node);
        while at < blocks.len() && blocks[at].start < until {
            is_furniture[at] = blocks[at].start > node;
            at += 1;
        }
    }
    is_furniture
}

/// Of the page's prose in one piece of furniture. On the half that the constants of this folder were fitted on, 0.5 to
/// 0.7 give the same; below, long comments and notices are taken for the text.
const LARGEST_SHARE: f64 = 0.5;

fn is_made_for_it(tree: &Tree, node: NodeId) -> bool {
    matches!(
        tree.name(node),
        "nav"
            | "footer"
            | "aside"
            | "header"
            | "form"
            | "button"
            | "select"
            | "figure"
            | "figcaption"
            | "noscript"
            | "label"
            | "dialog"
            | "menu"
    ) || matches!(
        tree.attr(node, "role"),
        Some(
            "navigation"
                | "banner"
                | "contentinfo"
                | "complementary"
                | "dialog"
                | "search"
                | "menu"
                | "alert"
        )
    )
}

fn is_named_so(tree: &Tree, node: NodeId) -> bool {
    if matches!(tree.name(node), "html" | "body" | "main" | "article") {
        return false;
    }
    ["class", "id"].iter().filter_map(|name| tree.attr(node, name)).any(|names| {
        words(names).any(|word| {
            WHOLE.contains(&word.as_str()) || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
        })
    })
}

/// The words of names, however they are joined: `shareBar`, `share-bar`, `share_bar`.
fn words(names: &str) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    let mut after_small = false;
    for c in names.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_small) {
            all.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = all.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase();
    }
    all.into_iter().filter(|word| !word.is_empty())
}

/// How words begin that designers of pages name furniture with.
const BEGINNINGS: [&str; 32] = [
    "comment",
    "disqus",
    "share",
    "sharing",
    "social",
    "related",
    "sidebar",
    "promo",
    "newsletter",
    "footer",
    "navi",
    "breadcrumb",
    "byline",
    "author",
    "caption",
    "recommend",
    "popular",
    "trending",
    "widget",
    "subscri",
    "advert",
    "sponsor",
    "cookie",
    "signup",
    "outbrain",
    "taboola",
    "copyright",
    "credit",
    "pagination",
    "tagged",
    "metadata",
    "teaser",
];

/// Such words that others begin with too, whole.
const WHOLE: [&str; 16] = [
    "nav", "menu", "ad", "ads", "tags", "tag", "meta", "bio", "aside", "banner", "popup", "modal", "toolbar",
    "header", "more", "masthead",
];
