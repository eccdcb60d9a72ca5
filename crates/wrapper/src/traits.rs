//! What one page shows of its role: links, headings, running text, its own address.
//!
//! Everything here is read off the page alone, given the link targets that make up the site's frame. So a page seen
//! years after learning is judged like those that were learned from.

use rustc_hash::FxHashSet;
use unsite_dom::{NodeId, PathStyle, Tree, Url};

use crate::page_links::{PageLinks, SiteLink, leads_on, sorted};
use crate::roles::INDEX_WEIGHTS;
use crate::view::ViewText;

/// How many traits a page has.
pub const TRAITS: usize = 13;

/// What each trait is, in the order of [`PageTraits::values`].
pub const TRAIT_NAMES: [&str; TRAITS] = [
    "targets",
    "same-path targets",
    "several headings linked",
    "share of headings linked",
    "running text",
    "longest text",
    "share of text in links",
    "numbered links",
    "query",
    "words in address",
    "declared a thing",
    "text per target",
    "targets below its address",
];

/// Shorter texts are labels and captions, not running text. In bytes, so that a Chinese character counts as three letters.
const RUNNING_TEXT: usize = 120;

/// What searches are usually called in addresses: some sites have their form in a script.
const SEARCH_NAMES: [&str; 10] =
    ["q", "query", "search", "search_query", "search_text", "searchterm", "keyword", "keywords", "kw", "wd"];

/// A heading is looked for so many elements above a link.
const HEADING_ABOVE: usize = 4;

/// Nodes inside a link that are looked at for a heading.
const HEADING_BELOW: u32 = 30;

/// What one page shows of its role.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageTraits {
    /// Counts as `ln(1 + count)`, shares and flags from 0 to 1; see [`TRAIT_NAMES`].
    pub values: [f64; TRAITS],
    /// The address carries the value of a text field of a form: an answer to a search.
    pub answers_search: bool,
    /// It answers a search and leads nowhere but to the frame and to other searches.
    pub finds_nothing: bool,
}

/// What is known of a site before one of its pages is judged.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Keys of the targets that many pages link to, sorted.
    pub frame: &'a [u64],
    /// The names of text fields of forms anywhere on the site, sorted: pages of answers need not repeat the form.
    pub search_fields: &'a [String],
}

impl PageTraits {
    /// Reads a page.
    pub fn of(tree: &Tree, page_url: &str, site: Surroundings<'_>) -> Self {
        PageTraits::with_links(tree, &PageLinks::of(tree, page_url), site)
    }

    /// Reads a page whose links were read before.
    pub fn with_links(tree: &Tree, links: &PageLinks, site: Surroundings<'_>) -> Self {
        let outside: Vec<&SiteLink> =
            links.site.iter().filter(|link| site.frame.binary_search(&link.key).is_err()).collect();
        PageTraits::read(tree, links.page.as_ref(), &outside, site, &ViewText::all(tree), |_| true)
    }

    /// Of a page whose texts were read before, only what is needed for [`page_logit`](crate::page_logit): traits that
    /// weigh nothing are 0.
    pub(crate) fn that_weigh(
        tree: &Tree,
        page_url: &str,
        site: Surroundings<'_>,
        texts: &[ViewText<'_>],
    ) -> Self {
        let links = PageLinks::outside(tree, page_url, site.frame);
        let outside: Vec<&SiteLink> = links.site.iter().collect();
        PageTraits::read(tree, links.page.as_ref(), &outside, site, texts, |at| INDEX_WEIGHTS[at] != 0.0)
    }

    /// Of a page with this address and these links outside the frame.
    fn read(
        tree: &Tree,
        address: Option<&Url>,
        links: &[&SiteLink],
        site: Surroundings<'_>,
        texts: &[ViewText<'_>],
        is_wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let text = PageText::of(tree, links, texts);
        let (headings, linked) = headings(tree, links);
        let keys_of = |counts: fn(&SiteLink) -> bool| {
            sorted(links.iter().filter(|link| counts(link)).map(|link| link.key))
        };
        let keys = keys_of(|_| true);
        let log = |count: usize| (1.0 + count as f64).ln();
        let flag = |yes: bool| f64::from(u8::from(yes));
        let values = [
            log(keys.len()),
            if is_wanted(1) { log(largest_group(tree, links)) } else { 0.0 },
            flag(linked >= 2),
            linked as f64 / headings.max(1) as f64,
            log(text.running),
            log(text.longest),
            text.in_links as f64 / (text.in_links + text.running).max(1) as f64,
            log(keys_of(|link| link.numbered).len()),
            flag(address.is_some_and(|url| url.query().is_some_and(|query| !query.is_empty()))),
            log(address.map_or(0, words_in_address)),
            flag(is_wanted(10) && declared_a_thing(tree)),
            log(text.running / keys.len().max(1)),
            log(keys_of(|link| link.below).len()),
        ];
        let asked = address.map(|url| asked(tree, url, site.search_fields)).unwrap_or_default();
        let finds_nothing =
            address.is_some_and(|page| !asked.is_empty() && !leads_on(tree, page, site.frame, &asked));
        PageTraits { values, answers_search: !asked.is_empty(), finds_nothing }
    }
}

/// The most distinct targets of links that stand on one path of tags.
fn largest_group(tree: &Tree, links: &[&SiteLink]) -> usize {
    let paths = tree.path_hashes(PathStyle::Tags);
    let mut groups: Vec<(u64, u64)> = links.iter().map(|link| (paths[link.node.index()], link.key)).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).max().unwrap_or(0)
}

/// How many headings there are, and how many of them are links or hold one.
fn headings(tree: &Tree, links: &[&SiteLink]) -> (usize, usize) {
    let named = tree.by_name(|name| matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
    let headings: Vec<NodeId> = tree.nodes().filter(|&node| named.of(node)).collect();
    let mut linked: Vec<NodeId> = Vec::new();
    for link in links {
        let above = tree.ancestors(link.node).take(HEADING_ABOVE).find(|&node| named.of(node));
        // Nodes are numbered in document order.
        let end = tree.end(link.node).0.min(link.node.0 + 1 + HEADING_BELOW);
        let below = || headings.get(headings.partition_point(|&heading| heading <= link.node)).copied();
        linked.extend(above.or_else(|| below().filter(|heading| heading.0 < end)));
    }
    linked.sort_unstable();
    linked.dedup();
    (headings.len(), linked.len())
}

/// Bytes of text on a page.
struct PageText {
    /// In paragraphs, outside links.
    running: usize,
    /// The longest paragraph, outside links.
    longest: usize,
    /// In links to pages outside the frame.
    in_links: usize,
}

impl PageText {
    fn of(tree: &Tree, links: &[&SiteLink], texts: &[ViewText<'_>]) -> Self {
        let mut block = nearest_block(tree);
        let (mut link_until, mut informative_until) = (0, 0);
        let mut anchors = tree.elements("a").peekable();
        let mut informative = links.iter().map(|link| link.node).peekable();
        let mut per_block: Vec<u32> = vec![0; tree.len()];
        let mut in_links = 0;
        for text in texts.iter().filter(|text| !text.hidden) {
            let (node, text) = (text.node, &text.value);
            while let Some(anchor) = anchors.next_if(|&anchor| anchor < node) {
                let end = tree.end(anchor).0;
                link_until = link_until.max(end);
                while informative.next_if(|&link| link < anchor).is_some() {}
                if informative.peek() == Some(&anchor) {
                    informative_until = informative_until.max(end);
                }
            }
            if node.0 < informative_until {
                in_links += text.len();
            } else if node.0 >= link_until {
                per_block[block(node).index()] += text.len() as u32;
            }
        }
        let (mut running, mut longest) = (0, 0);
        for length in per_block.into_iter().map(|length| length as usize) {
            if length >= RUNNING_TEXT {
                running += length;
                longest = longest.max(length);
            }
        }
        PageText { running, longest, in_links }
    }
}

/// Tells the nearest element around a text that is not part of a line. Texts side by side share it.
fn nearest_block(tree: &Tree) -> impl FnMut(NodeId) -> NodeId {
    let inline = tree.by_name(|name| {
        matches!(
            name,
            "a" | "abbr"
                | "b"
                | "br"
                | "code"
                | "em"
                | "font"
                | "i"
                | "kbd"
                | "mark"
                | "q"
                | "s"
                | "small"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "time"
                | "tt"
                | "u"
                | "var"
                | "wbr"
        )
    });
    let mut last = (NodeId::DOCUMENT, NodeId::DOCUMENT);
    move |text| {
        let parent = tree.parent(text).unwrap_or_default();
        if last.0 != parent {
            let mut block = parent;
            while inline.of(block)
                && let Some(above) = tree.parent(block)
            {
                block = above;
            }
            last = (parent, block);
        }
        last.1
    }
}

/// Words in the last part of the path: things are named by their titles, lists by one word.
fn words_in_address(url: &Url) -> usize {
    let last = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    last.split(['-', '_', '+']).filter(|word| !word.is_empty()).count().saturating_sub(1)
}

/// Whether the page says in Open Graph's words that it is about one thing.
fn declared_a_thing(tree: &Tree) -> bool {
    tree.elements("meta").any(|meta| {
        tree.attr(meta, "property").is_some_and(|name| name.eq_ignore_ascii_case("og:type"))
            && tree.attr(meta, "content").is_some_and(|kind| {
                let kind = kind.trim().to_ascii_lowercase();
                !kind.is_empty() && !kind.starts_with("website") && !kind.starts_with("object")
            })
    })
}

/// The values in the address that stand for text fields of forms, on this page or elsewhere on the site.
fn asked(tree: &Tree, url: &Url, search_fields: &[String]) -> Vec<String> {
    let mut asked: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    if asked.is_empty() {
        return Vec::new();
    }
    // Which fields are of which form is dear to find out; mostly nothing on the page has such a name.
    let names: FxHashSet<String> = asked.iter().map(|(name, _)| name.clone()).collect();
    let name_of = tree.attr_reader("name");
    let is_here = tree.nodes().any(|node| name_of(node).is_some_and(|name| names.contains(name)));
    let here = if is_here { tree.text_field_names() } else { Vec::new() };
    asked.retain(|(name, _)| {
        let is_usual = SEARCH_NAMES.iter().any(|usual| name.eq_ignore_ascii_case(usual));
        is_usual || here.contains(&name.as_str()) || search_fields.binary_search(name).is_ok()
    });
    asked.into_iter().map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_links::address_key;
    use unsite_dom::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    #[test]
    fn the_frame_does_not_count() {
        let page = tree(
            "<nav><a href=/x>X</a></nav><ul><li><h2><a href=/a>A</a></h2><li><h2><a href=/b>B</a></h2></ul>",
        );
        let whole = PageTraits::of(&page, "http://s.test/list", Surroundings::default());
        let frame = [address_key(&Url::parse("http://s.test/x").unwrap())];
        let known = Surroundings { frame: &frame, ..Surroundings::default() };
        let bare = PageTraits::of(&page, "http://s.test/list", known);
        assert_eq!((whole.values[0], bare.values[0]), (4f64.ln(), 3f64.ln()));
        assert_eq!((bare.values[1], bare.values[2], bare.values[3]), (3f64.ln(), 1.0, 1.0));
    }

    #[test]
    fn foreign_links_and_the_page_itself_do_not_count() {
        let page = tree(
            "<a href=/me>x</a><a href=#top>x</a><a href=http://other.test/>x</a><a href=mailto:a@b>x</a>",
        );
        let targets = |page: &Tree| {
            PageTraits::of(page, "http://www.s.test/me", Surroundings::default()).values[0].exp().round()
                - 1.0
        };
        assert_eq!(targets(&page), 0.0);
        assert_eq!(targets(&tree("<a href=https://s.test/a>x</a>")), 1.0);
        assert_eq!(PageLinks::of(&page, "http://www.s.test/me").targets().len(), 1);
    }

    #[test]
    fn running_text_is_what_stands_in_paragraphs_outside_links() {
        let long = "word ".repeat(40);
        let page = tree(&format!("<p>{long}<b>and more</b></p><p>short</p><p><a href=/a>{long}</a></p>"));
        let traits = PageTraits::of(&page, "http://s.test/", Surroundings::default());
        let running = (199f64 + 8.0 + 1.0).ln();
        assert!((traits.values[4] - running).abs() < 0.01, "{traits:?}");
        assert!((traits.values[6] - 199.0 / 406.0).abs() < 0.01, "{traits:?}");
    }

    #[test]
    fn an_answer_has_its_question_in_its_address_and_its_form() {
        let page = tree("<form><input name=q><input type=hidden name=sort value=a></form>");
        let answers = |url: &str| PageTraits::of(&page, url, Surroundings::default()).answers_search;
        assert!(answers("http://s.test/?q=chess"));
        assert!(!answers("http://s.test/?q="));
        assert!(!answers("http://s.test/?sort=a"));
        assert!(!answers("http://s.test/"));
        // The form may stand on another page.
        let bare = tree("<ul><li><a href=/a>A</a></ul>");
        let known = Surroundings { search_fields: &["q".to_owned()], ..Surroundings::default() };
        assert!(PageTraits::of(&bare, "http://s.test/?q=chess", known).answers_search);
        let known = Surroundings { search_fields: &["find".to_owned()], ..Surroundings::default() };
        assert!(PageTraits::of(&bare, "http://s.test/?find=chess", known).answers_search);
        assert!(!PageTraits::of(&bare, "http://s.test/?find=chess", Surroundings::default()).answers_search);
    }

    #[test]
    fn nothing_was_found_where_no_link_leads_on() {
        let form = "<form><input name=q></form>";
        let nothing = |rest: &str| {
            let page = tree(&format!("{form}{rest}"));
            PageTraits::of(&page, "http://s.test/find?q=chess", Surroundings::default()).finds_nothing
        };
        assert!(nothing("<p>Sorry."));
        assert!(nothing("<a href=/find>new search</a> <a href=/find?q=chess&sort=date>by date</a>"));
        assert!(nothing("<a href=/login?next=chess&q=chess>log in</a>"));
        assert!(!nothing("<ul><li><a href=/board>Board</a></ul>"));
        assert!(!PageTraits::of(&tree(form), "http://s.test/find", Surroundings::default()).finds_nothing);
    }

    #[test]
    fn answers_may_lead_to_other_sites() {
        let frame = [address_key(&Url::parse("http://other.test/imprint").unwrap())];
        let known = Surroundings { frame: &frame, ..Surroundings::default() };
        let nothing = |rest: &str| {
            let page = tree(&format!("<form><input name=q></form>{rest}"));
            PageTraits::of(&page, "http://s.test/find?q=chess", known).finds_nothing
        };
        assert!(!nothing("<a href=http://other.test/board>Board</a>"));
        assert!(nothing("<a href=http://other.test/imprint>Imprint</a>"));
        assert!(nothing("<a href='http://share.test/?u=http://s.test/find?q=chess'>Share</a>"));
        let page = tree("<a href=http://b.test/>b</a><a href=http://b.test/#x>b</a><a href=/own>own</a>");
        assert_eq!(PageLinks::of(&page, "http://s.test/").targets().len(), 2);
    }

    #[test]
    fn what_stands_below_the_address_counts_apart() {
        let page =
            tree("<a href=/g/a/1>1</a><a href=/g/a/2/>2</a><a href=/g/a/>self</a><a href=/g/ab>other</a>");
        let below =
            |url: &str| PageTraits::of(&page, url, Surroundings::default()).values[TRAITS - 1].exp().round();
        assert_eq!(
            (below("http://s.test/g/a/"), below("http://s.test/g/a"), below("http://s.test/x")),
            (3.0, 3.0, 1.0)
        );
    }

    #[test]
    fn nothing_is_too_odd() {
        for (html, url) in
            [("", ""), ("<a href='http://['>x", "http://s.test"), ("<h1><h1><a href=b>", "not a url")]
        {
            assert!(
                PageTraits::of(&tree(html), url, Surroundings::default())
                    .values
                    .iter()
                    .all(|value| value.is_finite())
            );
        }
    }
}
