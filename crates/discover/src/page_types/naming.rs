//! Names and URL patterns of page types.

use rustc_hash::FxHashMap;
use unsite_dom::Url;

use crate::naming::{Namer, slug};
use crate::site::Site;

/// A part of the addresses that this share of them has is part of the pattern: one odd page changes no pattern.
const CONSTANT: f64 = 0.9;

/// A body class or the beginning of a heading names a type when this share of its pages has it ...
const COMMON: f64 = 0.8;

/// ... and at most this share of the other pages.
const ELSEWHERE: f64 = 0.1;

/// Pages of a type that are looked at for its name.
const LOOKED_AT: usize = 60;

/// Words that name no kind of page.
const EMPTY_WORDS: [&str; 16] = [
    "index", "default", "en", "de", "fr", "es", "zh", "www", "html", "htm", "php", "aspx", "asp", "page",
    "view", "show",
];

/// What a type is called.
pub(super) struct NamedType {
    pub(super) name: String,
    pub(super) url_pattern: String,
}

/// Names the types of a site: by the route word of their addresses, else by a body class or the beginning of a
/// heading that they alone have, else `home` or `page`. Names are different; larger types choose first. `beside` holds
/// types that are called as another with an ending of their own.
pub(super) fn name_types(
    site: &Site,
    members: &[Vec<usize>],
    beside: &FxHashMap<usize, (usize, &'static str)>,
) -> Vec<NamedType> {
    let urls = site.urls();
    let patterns: Vec<String> = members
        .iter()
        .map(|pages| url_pattern(&pages.iter().map(|&page| urls[page]).collect::<Vec<&str>>()))
        .collect();
    let marks = Marks::of(site, members);
    let mut namer = Namer::default();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(members[at].len()), at));
    let mut taken: FxHashMap<String, usize> = FxHashMap::default();
    let mut names: Vec<String> = vec![String::new(); members.len()];
    for &at in order.iter().filter(|at| !beside.contains_key(at)) {
        let candidates = [route_word(&patterns[at]), marks.name(at)];
        let free = candidates.iter().flatten().find(|name| !taken.contains_key(*name));
        let name = free.or(candidates.iter().flatten().next()).cloned();
        let name = name.unwrap_or_else(|| if patterns[at] == "/" { "home".into() } else { "page".into() });
        *taken.entry(name.clone()).or_default() += 1;
        names[at] = namer.unique(&name);
    }
    for at in order {
        if let Some(&(usual, ending)) = beside.get(&at) {
            let usual = names.get(usual).map_or("page", String::as_str);
            names[at] = namer.unique(&format!("{usual}_{ending}"));
        }
    }
    names.into_iter().zip(patterns).map(|(name, url_pattern)| NamedType { name, url_pattern }).collect()
}

/// The URLs of a type with `*` for what varies, by step; names of parameters where most have them.
pub(crate) fn url_pattern(urls: &[&str]) -> String {
    let parsed: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
    if parsed.is_empty() {
        return "*".into();
    }
    let steps: Vec<Vec<&str>> = parsed.iter().map(|url| url.path().split('/').skip(1).collect()).collect();
    let mut depths: FxHashMap<usize, usize> = FxHashMap::default();
    for path in &steps {
        *depths.entry(path.len()).or_default() += 1;
    }
    // The most frequent depth; of equals the smallest.
    let depth = depths.iter().map(|(&depth, &count)| (count, std::cmp::Reverse(depth))).max();
    let depth = depth.map_or(0, |(_, std::cmp::Reverse(depth))| depth);
    let same_depth = depths.get(&depth).copied().unwrap_or(0) as f64 >= CONSTANT * steps.len() as f64;
    let shallowest = if same_depth { depth } else { steps.iter().map(Vec::len).min().unwrap_or(0) };
    let mut text = String::new();
    for at in 0..shallowest {
        let last = same_depth && at + 1 == depth;
        let values: Vec<&str> = steps.iter().filter_map(|path| path.get(at)).copied().collect();
        text.push('/');
        match usual(&values) {
            Some(value) => text.push_str(value),
            None => {
                let endings: Vec<&str> = values
                    .iter()
                    .map(|value| value.rsplit_once('.').map_or("", |(_, ending)| ending))
                    .collect();
                let beginnings: Vec<&str> = values
                    .iter()
                    .map(|value| value.split_once(['.', '-']).map_or("", |(word, _)| word))
                    .collect();
                if let Some(word) = usual(&beginnings).filter(|word| last && !word.is_empty()) {
                    let parted = values
                        .iter()
                        .find(|value| value.starts_with(word))
                        .map_or("-", |value| value.get(word.len()..=word.len()).unwrap_or("-"));
                    text.push_str(word);
                    text.push_str(parted);
                }
                text.push('*');
                if let Some(ending) = usual(&endings).filter(|ending| last && !ending.is_empty()) {
                    text.push('.');
                    text.push_str(ending);
                }
            }
        }
    }
    if !same_depth {
        text.push_str("/*");
    }
    while text.contains("/*/*/*") {
        text = text.replace("/*/*/*", "/*/*");
    }
    if text.is_empty() {
        text.push('/');
    }
    let mut names: FxHashMap<String, usize> = FxHashMap::default();
    for url in &parsed {
        let mut here: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).take(8).collect();
        here.sort_unstable();
        here.dedup();
        for name in here {
            *names.entry(name).or_default() += 1;
        }
    }
    let mut names: Vec<String> =
        names.into_iter().filter(|(_, count)| count * 2 > parsed.len()).map(|(name, _)| name).collect();
    names.sort_unstable();
    for (at, name) in names.iter().take(4).enumerate() {
        text.push(if at == 0 { '?' } else { '&' });
        text.push_str(name);
        text.push_str("=*");
    }
    text
}

/// A name for each type: from the constant part of its URLs, else from its place in the list.
pub(crate) fn type_names(patterns: &[String], sizes: &[usize]) -> Vec<String> {
    let mut namer = Namer::default();
    // Larger types choose first.
    let mut order: Vec<usize> = (0..patterns.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    let mut names: FxHashMap<usize, String> = FxHashMap::default();
    for at in order {
        let name = route_word(&patterns[at]);
        let name = name.unwrap_or_else(|| if patterns[at] == "/" { "home".into() } else { "page".into() });
        names.insert(at, namer.unique(&name));
    }
    (0..patterns.len()).map(|at| names.remove(&at).unwrap_or_default()).collect()
}

/// The last word of a pattern that says something: of `/blog/tag/*` it is `tag`, of `/?s=*` it is `s`.
fn route_word(pattern: &str) -> Option<String> {
    let (path, query) = pattern.split_once('?').unwrap_or((pattern, ""));
    let word = path.split('/').rev().find_map(|step| {
        let step = step.split(['*', '.']).find(|piece| !piece.is_empty())?;
        let word = slug(step.trim_end_matches(|c: char| !c.is_alphanumeric()))?;
        let plain = word.trim_matches(|c: char| c.is_ascii_digit() || c == '_');
        (plain.chars().count() > 1 && !EMPTY_WORDS.contains(&plain)).then_some(word)
    });
    word.or_else(|| slug(query.split(['=', '&']).next()?).filter(|word| word.chars().count() > 1))
}

/// The value that nearly all have.
fn usual<'v>(values: &[&'v str]) -> Option<&'v str> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let run = sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    // A single page has no pattern to tell, only an address.
    (run.len() as f64 >= CONSTANT * values.len() as f64).then_some(run[0])
}

/// Body classes and beginnings of headings by the types that have them.
struct Marks {
    /// For each type: each mark and the share of the type's pages with it.
    shares: Vec<FxHashMap<String, f64>>,
}

impl Marks {
    fn of(site: &Site, members: &[Vec<usize>]) -> Self {
        let shares = members
            .iter()
            .map(|pages| {
                let step = pages.len().div_ceil(LOOKED_AT).max(1);
                let looked: Vec<usize> = pages.iter().copied().step_by(step).collect();
                let mut shares: FxHashMap<String, f64> = FxHashMap::default();
                for &page in &looked {
                    for mark in marks(site, page) {
                        *shares.entry(mark).or_default() += 1.0 / looked.len() as f64;
                    }
                }
                shares
            })
            .collect();
        Marks { shares }
    }

    /// The mark that most pages of a type and few others have.
    fn name(&self, at: usize) -> Option<String> {
        let others = (self.shares.len().max(2) - 1) as f64;
        let elsewhere = |mark: &str| {
            let all = self.shares.iter().enumerate().filter(|(other, _)| *other != at);
            all.map(|(_, shares)| shares.get(mark).copied().unwrap_or(0.0)).sum::<f64>() / others
        };
        let mut own: Vec<(&String, f64, f64)> = self.shares[at]
            .iter()
            .filter(|(_, share)| **share >= COMMON)
            .map(|(mark, &share)| (mark, share, elsewhere(mark)))
            .filter(|&(_, _, elsewhere)| elsewhere <= ELSEWHERE)
            .collect();
        own.sort_by(|a, b| {
            (b.1 - b.2).total_cmp(&(a.1 - a.2)).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0))
        });
        own.iter().find_map(|(mark, _, _)| slug(mark).filter(|word| word.chars().count() > 2))
    }
}

/// What a page is marked by: its body classes, the first word of its heading where more follow.
fn marks(site: &Site, page: usize) -> Vec<String> {
    let tree = &site.pages[page].tree;
    let mut marks: Vec<String> = Vec::new();
    if let Some(body) = tree.elements("body").next() {
        marks.extend(unsite_wrapper::raw_names(tree, body).filter(|name| !name.contains('#')));
    }
    if let Some(heading) = tree.elements("h1").next() {
        let text = tree.visible_text(heading);
        let mut words = text.split_whitespace();
        if let (Some(first), Some(_)) = (words.next(), words.next()) {
            marks.push(first.to_owned());
        }
    }
    marks.sort_unstable();
    marks.dedup();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_keep_what_is_constant() {
        let tags = ["http://a.example/blog/tag/x/", "http://a.example/blog/tag/y/"];
        assert_eq!(url_pattern(&tags), "/blog/tag/*/");
        let docs = ["http://a.example/core/struct.A.html", "http://a.example/std/struct.B.html"];
        assert_eq!(url_pattern(&docs), "/*/struct.*.html");
        let search = ["http://a.example/?s=tea", "http://a.example/?s=milk&page=2"];
        assert_eq!(url_pattern(&search), "/?s=*");
        assert_eq!(url_pattern(&["no address"]), "*");
        assert_eq!(url_pattern(&["http://a.example/x/1", "http://a.example/x/1/2"]), "/x/1/*");
    }

    #[test]
    fn one_odd_address_changes_no_pattern() {
        let mut urls: Vec<String> = (0..30).map(|n| format!("http://a.example/item/{n}/")).collect();
        urls.push("http://a.example/odd".into());
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        assert_eq!(url_pattern(&urls), "/item/*/");
    }

    #[test]
    fn names_say_what_the_route_says() {
        assert_eq!(route_word("/blog/tag/*/").as_deref(), Some("tag"));
        assert_eq!(route_word("/*/struct.*.html").as_deref(), Some("struct"));
        assert_eq!(route_word("/*/index.html"), None);
        assert_eq!(route_word("/search?q=*").as_deref(), Some("search"));
        assert_eq!(route_word("/?query=*").as_deref(), Some("query"));
        let patterns = ["/tag/*".to_owned(), "/tag/*/*".to_owned(), "/".to_owned(), "/*".to_owned()];
        let names = type_names(&patterns, &[1, 9, 1, 5]);
        assert_eq!(names[1], "tag");
        assert_ne!(names[0], names[1]);
        assert_eq!((names[2].as_str(), names[3].as_str()), ("home", "page"));
    }
}
