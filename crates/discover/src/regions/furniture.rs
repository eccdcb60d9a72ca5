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
    let kinds = tree.by_name(kind);
    let (role, class, id) = (tree.attr_reader("role"), tree.attr_reader("class"), tree.attr_reader("id"));
    let is_one = |node: NodeId| match kinds.of(node) {
        Kind::MadeForIt => true,
        _ if role(node).is_some_and(is_role_of_it) => true,
        Kind::Never => false,
        Kind::Any => [class(node), id(node)].into_iter().flatten().any(names_it),
    };
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if node < until || !is_one(node) || share(node) > LARGEST_SHARE {
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

#[derive(Clone, Copy)]
enum Kind {
    /// An element that is made for furniture.
    MadeForIt,
    /// Holds everything else; its names say nothing.
    Never,
    Any,
}

fn kind(name: &str) -> Kind {
    match name {
        "nav" | "footer" | "aside" | "header" | "form" | "button" | "select" | "figure" | "figcaption"
        | "noscript" | "label" | "dialog" | "menu" => Kind::MadeForIt,
        "html" | "body" | "main" | "article" => Kind::Never,
        _ => Kind::Any,
    }
}

fn is_role_of_it(role: &str) -> bool {
    matches!(
        role,
        "navigation" | "banner" | "contentinfo" | "complementary" | "dialog" | "search" | "menu" | "alert"
    )
}

/// Whether one of the words of a `class` or `id` names furniture, however they are joined: `shareBar`, `share-bar`,
/// `share_bar`.
fn names_it(names: &str) -> bool {
    let mut start = 0;
    let mut after_small = false;
    for (at, c) in names.char_indices() {
        let is_part = c.is_alphanumeric();
        if (!is_part || (c.is_uppercase() && after_small)) && start < at {
            if is_word_of_it(&names[start..at]) {
                return true;
            }
            start = at;
        }
        start = if is_part { start } else { at + c.len_utf8() };
        after_small = c.is_lowercase();
    }
    is_word_of_it(&names[start..])
}

fn is_word_of_it(word: &str) -> bool {
    let Some(first) = word.as_bytes().first().map(u8::to_ascii_lowercase) else { return false };
    let may = |known: &&&str| known.as_bytes().first() == Some(&first);
    let begins = |with: &&str| word.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    BEGINNINGS.iter().filter(may).any(begins)
        || WHOLE.iter().filter(may).any(|whole| word.eq_ignore_ascii_case(whole))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_however_they_are_joined() {
        for names in ["shareBar", "x share-bar", "share_bar", "mySHARE Nav", "a.NAV", "pageFooter2"] {
            assert!(names_it(names), "{names}");
        }
        for names in ["", "-", "navy", "unshared", "Äshare", "text body", "ads2"] {
            assert!(!names_it(names), "{names}");
        }
    }
}
