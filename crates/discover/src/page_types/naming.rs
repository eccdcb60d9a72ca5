//! Names and URL patterns of page types.

use rustc_hash::FxHashMap;
use unsite_dom::Url;

use crate::fields::{Namer, slug};

/// The URLs of a type with `*` for what varies: the longest common beginning of their paths, by segment.
pub(crate) fn url_pattern(urls: &[&str]) -> String {
    let parsed: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
    let Some(first) = parsed.first() else { return "*".into() };
    let segments = |url: &Url| -> Vec<String> { url.path().split('/').skip(1).map(str::to_owned).collect() };
    let mut pattern: Vec<Option<String>> = segments(first).into_iter().map(Some).collect();
    let mut same_length = true;
    for url in &parsed[1..] {
        let here = segments(url);
        same_length &= here.len() == pattern.len();
        pattern.truncate(here.len());
        for (kept, segment) in pattern.iter_mut().zip(&here) {
            if kept.as_ref() != Some(segment) {
                *kept = None;
            }
        }
    }
    let mut text = String::new();
    for segment in &pattern {
        text.push('/');
        text.push_str(segment.as_deref().unwrap_or("*"));
    }
    if !same_length {
        text.push_str("/*");
    }
    let queries = parsed.iter().filter(|url| url.query().is_some()).count();
    if queries * 2 > parsed.len() {
        text.push_str("?*");
    }
    text.replace("/*/*/*", "/*/*")
}

/// A name for each type: from the constant part of its URLs, else from its place in the list.
pub(crate) fn type_names(patterns: &[String], sizes: &[usize]) -> Vec<String> {
    let mut namer = Namer::default();
    // Larger types choose first.
    let mut order: Vec<usize> = (0..patterns.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    let mut names: FxHashMap<usize, String> = FxHashMap::default();
    for at in order {
        let word = patterns[at]
            .split(['/', '?'])
            .rev()
            .filter(|part| *part != "*")
            .find_map(|part| slug(part.rsplit_once('.').map_or(part, |(stem, _)| stem)));
        let name = word.unwrap_or_else(|| if patterns[at] == "/" { "home".into() } else { "page".into() });
        names.insert(at, namer.unique(&name));
    }
    (0..patterns.len()).map(|at| names.remove(&at).unwrap_or_default()).collect()
}
