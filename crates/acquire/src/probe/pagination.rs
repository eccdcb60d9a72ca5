//! Where a list of results goes on.

use unsite_dom::{Link, Tree};
use url::Url;

/// Words on links to the next page, whole, without arrows around them.
const NEXT: [&str; 32] = [
    "next",
    "next page",
    "older",
    "more results",
    "weiter",
    "nächste",
    "nächste seite",
    "vorwärts",
    "suivant",
    "suivante",
    "page suivante",
    "siguiente",
    "página siguiente",
    "successiva",
    "successivo",
    "avanti",
    "próxima",
    "próximo",
    "seguinte",
    "volgende",
    "następna",
    "następny",
    "dalej",
    "следующая",
    "далее",
    "вперёд",
    "вперед",
    "次へ",
    "次",
    "下一页",
    "下页",
    "다음",
];

/// Arrows that lead one step on. Double ones may lead to the end, so that they come last.
const ARROWS: [&str; 8] = ["›", "→", ">", "▶", "⟩", "»", ">>", "≫"];

/// The address where a page of results goes on; `number` is the page's own, from 1. `known` are addresses that were
/// fetched already.
///
/// # What it does
/// Takes the link that says so itself (`rel=next`), else one whose words do, else the one with the next number, else an
/// arrow.
/// # Assumes
/// The next page is on the same host, and a link leads to it.
/// # When it fails
/// Pages that grow by script, and buttons of forms.
pub(super) fn next_page(tree: &Tree, url: &Url, number: usize, known: &dyn Fn(&Url) -> bool) -> Option<Url> {
    let links = tree.links(url.as_str());
    let usable = |link: &&Link| {
        let target = link.url.as_ref();
        link.web && target.is_some_and(|to| to.host_str() == url.host_str() && to != url && !known(to))
    };
    let links: Vec<&Link> = links.iter().filter(usable).collect();
    let declared = links.iter().find(|link| link.rel.split(' ').any(|token| token == "next"));
    let in_head = tree.elements("link").filter(|&node| {
        tree.attr(node, "rel")
            .is_some_and(|rel| rel.split_whitespace().any(|word| word.eq_ignore_ascii_case("next")))
    });
    let head = || {
        let href = in_head.filter_map(|node| tree.attr(node, "href")).next()?;
        let target = tree.base_url(url.as_str())?.join(href.trim()).ok()?;
        (target.host_str() == url.host_str() && target != *url && !known(&target)).then_some(target)
    };
    let of = |link: &&Link| link.url.clone();
    let by_words = || links.iter().find(|link| NEXT.contains(&plain(&link.text).as_str()));
    let next_number = (number + 1).to_string();
    let by_number =
        || links.iter().find(|link| link.text.trim() == next_number && looks_paged(link.url.as_ref(), url));
    let by_arrow = || ARROWS.iter().find_map(|arrow| links.iter().find(|link| link.text.trim() == *arrow));
    declared
        .and_then(of)
        .or_else(head)
        .or_else(|| by_words().or_else(by_number).or_else(by_arrow).and_then(of))
}

/// What a link says, in lower case and without arrows and brackets around it.
fn plain(text: &str) -> String {
    let arrow = |c: char| !c.is_alphanumeric();
    text.trim_matches(arrow).to_lowercase()
}

/// A bare number may be anything (a rating, a year); as a page's number it leads to the same place with other words.
fn looks_paged(target: Option<&Url>, url: &Url) -> bool {
    let Some(target) = target else { return false };
    target.path() == url.path() || target.path().contains("page") || target.query() == url.query()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn next(html: &str, number: usize) -> Option<String> {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let url = Url::parse("http://a.test/find?q=tea").expect("is an address");
        next_page(&tree, &url, number, &|known| known.as_str().ends_with("known")).map(String::from)
    }

    #[test]
    fn the_next_page_is_found() {
        let second = Some("http://a.test/find?q=tea&p=2".to_owned());
        for html in [
            "<a href='?q=tea&p=9'>9</a><a rel='nofollow next' href='?q=tea&p=2'>go</a>",
            "<head><link rel=next href='?q=tea&p=2'></head><body><p>x",
            "<a href='?q=tea'>1</a><a href='?q=tea&p=2'>Next page</a>",
            "<a href='?q=tea&p=2'>next &gt;&gt;</a>",
            "<a href='?q=tea&p=2'>Weiter »</a>",
            "<b>1</b> <a href='?q=tea&p=2'>2</a> <a href='?q=tea&p=3'>3</a>",
            "<a href='?q=tea&p=9'>»</a><a href='?q=tea&p=2'>›</a>",
        ] {
            assert_eq!(next(html, 1), second, "{html}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_not() {
        for html in [
            "<p>no links",
            "<a href='http://b.test/find?p=2'>Next</a>",
            "<a href='?known'>Next</a>",
            "<a href='?q=tea'>Next</a>",
            "<a href='/items/2'>2</a>",
            "<a href='javascript:next()'>Next</a>",
            "<a href='/next'>What comes next</a>",
        ] {
            assert_eq!(next(html, 1), None, "{html}");
        }
    }
}
