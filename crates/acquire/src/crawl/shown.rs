//! What a page shows, made comparable: two months of a calendar show the same, two products do not.

use unsite_dom::{Tree, Url};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Digits in the address of a picture that are a moment or a dice, put there against caches. Numbers of pictures are
/// shorter.
const LONG_NUMBER: usize = 9;

/// Attributes that bring pictures, films and frames, also before a script has put them in place.
const MEDIA: [&str; 6] = ["src", "srcset", "data-src", "data-original", "poster", "data-bg"];

/// Hashes of texts and media, each once: with the numbers of calendars and of the page's own address masked, and with
/// all numbers and all words of its address masked.
pub(super) fn shown(tree: &Tree, url: &Url) -> (Vec<u64>, Vec<u64>) {
    let own = own_words(url);
    let (mut plain, mut beside_address) = (Vec::new(), Vec::new());
    for (_, text) in tree.visible_texts() {
        let text = text.trim();
        if !text.is_empty() {
            plain.push(xxh3_64(masked(text, &own, false).as_bytes()));
            beside_address.push(xxh3_64_with_seed(masked(text, &own, true).as_bytes(), 2));
        }
    }
    for medium in media(tree) {
        plain.push(medium);
        beside_address.push(medium);
    }
    for hashes in [&mut plain, &mut beside_address] {
        hashes.sort_unstable();
        hashes.dedup();
    }
    (plain, beside_address)
}

/// Pictures, films and frames, as hashes.
pub(super) fn media(tree: &Tree) -> impl Iterator<Item = u64> + '_ {
    let elements =
        ["img", "source", "video", "iframe", "embed"].into_iter().flat_map(move |name| tree.elements(name));
    let named =
        elements.flat_map(move |element| MEDIA.into_iter().filter_map(move |name| tree.attr(element, name)));
    let styled = ["div", "span", "a", "figure", "section", "li", "td"]
        .into_iter()
        .flat_map(move |name| tree.elements(name))
        .filter_map(move |element| tree.attr(element, "style").filter(|style| style.contains("url(")));
    named.chain(styled).map(|address| xxh3_64_with_seed(without_long_numbers(address).as_bytes(), 3))
}

fn without_long_numbers(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut out = path.to_owned();
    for word in query.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        out.push_str(if digits >= LONG_NUMBER { "#" } else { word });
    }
    out
}

/// The words and numbers of the path and the query, in lower case.
fn own_words(url: &Url) -> Vec<String> {
    let text = url[url::Position::BeforePath..url::Position::AfterQuery].to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A text in lower case with some of its words as `0`: a calendar shows these and nothing else from month to month, and
/// a facet nothing but words of its address and counts.
fn masked(text: &str, own: &[String], all: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if end == 0 {
            out.push(first);
            before = first;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, behind) = rest.split_at(end);
        let word = word.to_lowercase();
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let is_masked = if is_number {
            let value: u32 = word.parse().unwrap_or(u32::MAX);
            let is_calendar = value <= 31 || (1900..2200).contains(&value) && word.len() == 4;
            let is_count = before == '(' && behind.starts_with(')');
            all || is_calendar || is_count || own.contains(&word)
        } else {
            all && own.contains(&word)
        };
        out.push_str(if is_masked { "0" } else { &word });
        rest = behind;
        before = ' ';
    }
    out
}

#[cfg(test)]
mod tests {
    use unsite_dom::Limits;

    use super::*;

    fn read(address: &str, html: &str) -> (Vec<u64>, Vec<u64>) {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        shown(&tree, &Url::parse("http://a.test").unwrap().join(address).unwrap())
    }

    #[test]
    fn calendars_show_the_same_and_products_do_not() {
        let plain = |address: &str, html: &str| read(address, html).0;
        assert_eq!(
            plain("/?m=11", "<h1>Month 11/2026</h1><p>1<p>30"),
            plain("/?m=12", "<h1>Month 12/2027</h1><p>31")
        );
        assert_eq!(plain("/item/77", "<p>Item 77"), plain("/item/78", "<p>Item 78"));
        assert_ne!(plain("/", "<p>Price 499"), plain("/", "<p>Price 498"));
        assert_ne!(plain("/", "<p>Model A11"), plain("/", "<p>Model A12"));
        assert_eq!(plain("/", "<p>Red (57)"), plain("/", "<p>Red (58)"));
        assert_ne!(plain("/", "<p>Straße"), plain("/", "<p>Strasse"));
    }

    #[test]
    fn facets_show_their_own_words() {
        let beside = |address: &str, html: &str| read(address, html).1;
        assert_eq!(
            beside("/shop?color=red&size=l", "<h1>Color: red, size: L</h1><p>57 results"),
            beside("/shop?color=blue&size=m", "<h1>Color: Blue, size: M</h1><p>158 results")
        );
        assert_ne!(beside("/shop?color=red", "<p>Red shirt"), beside("/shop?color=red", "<p>Red skirt"));
    }

    #[test]
    fn pictures_are_told_apart_and_dice_are_not() {
        let of = |html: &str| read("/photo/1", html).0;
        assert_ne!(of("<img src=/p/1.jpg>"), of("<img src=/p/2.jpg>"));
        assert_ne!(of("<img src='/p.php?id=1001'>"), of("<img src='/p.php?id=1002'>"));
        assert_eq!(of("<img src='/ad.gif?r=1699999999123'>"), of("<img src='/ad.gif?r=1699999999124'>"));
        assert_ne!(of("<div style='background:url(1.jpg)'>"), of("<div style='background:url(2.jpg)'>"));
        assert_ne!(of("<video poster=1.jpg>"), of("<video poster=2.jpg>"));
    }
}
