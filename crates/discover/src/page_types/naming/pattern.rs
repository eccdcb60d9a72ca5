//! The addresses of a page type with `*` for what varies, and the words in them that name it.

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;
use unsite_dom::Url;

use crate::naming::slug;
use crate::page_types::SEARCH_PARAMETERS;

/// A part of the addresses that this share of them has is part of the pattern: one odd page changes no pattern.
const CONSTANT: f64 = 0.9;

/// The value of a parameter is part of the pattern when so many addresses have it and no other ...
const CONSTANT_VALUES: usize = 3;

/// ... and it is not longer than this: longer ones are keys and tokens.
const LONGEST_VALUE: usize = 24;

/// Parameters that a pattern shows.
const MAX_PARAMETERS: usize = 4;

/// Words that name no kind of page.
const EMPTY_WORDS: [&str; 11] =
    ["index", "default", "www", "html", "htm", "php", "aspx", "asp", "page", "view", "show"];

/// The addresses of a type.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct UrlPattern {
    /// For people: `/blog/tag/*/?page=*`.
    pub(super) text: String,
    /// The words of its path that name something, in order; of `/blog/tag/*` they are `blog` and `tag`.
    pub(super) words: Vec<String>,
    /// The path ends in the last word: `/blog/` and not `/blog/*`.
    pub(super) ends_in_word: bool,
    /// The last word is a program's name: `gitweb` of `/gitweb.cgi`.
    pub(super) is_program: bool,
    /// A value that one of its parameters always has: `job` of `?kind=job&q=*`.
    pub(super) value: Option<String>,
    /// It asks a search engine of the site.
    pub(super) asks: bool,
    /// The name of a parameter.
    pub(super) parameter: Option<String>,
}

impl UrlPattern {
    pub(super) fn of(urls: &[&str]) -> Self {
        let parsed: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        if parsed.is_empty() {
            return UrlPattern { text: "*".into(), ..UrlPattern::default() };
        }
        let mut pattern = UrlPattern { text: path_pattern(&parsed), ..UrlPattern::default() };
        let steps: Vec<&str> = pattern.text.split('/').filter(|step| !step.is_empty()).collect();
        let words: Vec<Option<String>> = steps.iter().enumerate().map(|(at, step)| word(step, at)).collect();
        pattern.ends_in_word = words.last().is_some_and(Option::is_some) && !pattern.text.contains("*.");
        pattern.ends_in_word &= steps.last().is_some_and(|step| !step.contains('*'));
        let ending = steps.last().and_then(|step| step.rsplit_once('.'));
        pattern.is_program =
            ending.is_some_and(|(name, ending)| !name.contains('*') && !ending.starts_with("htm"));
        pattern.words = words.into_iter().flatten().collect();
        for (at, (name, value)) in parameters(&parsed).into_iter().enumerate() {
            pattern.text += if at == 0 { "?" } else { "&" };
            pattern.text += &format!("{name}={}", value.as_deref().unwrap_or("*"));
            pattern.asks |= value.is_none() && SEARCH_PARAMETERS.contains(&name.to_lowercase().as_str());
            let value = value.filter(|value| value.chars().all(|c| c.is_alphabetic() || "-_".contains(c)));
            pattern.value = pattern.value.or(value.and_then(|value| slug(&value)));
            pattern.parameter = pattern.parameter.or(slug(&name).filter(|name| name.chars().count() > 1));
        }
        pattern
    }
}

/// The path, by step; where paths are of different length, what begins them all and how they end.
fn path_pattern(urls: &[Url]) -> String {
    let paths: Vec<Vec<&str>> = urls.iter().map(|url| url.path().split('/').skip(1).collect()).collect();
    let mut depths: FxHashMap<usize, usize> = FxHashMap::default();
    for path in &paths {
        *depths.entry(path.len()).or_default() += 1;
    }
    // The most frequent depth; of equals the smallest.
    let depth = depths.iter().map(|(&depth, &count)| (count, std::cmp::Reverse(depth))).max();
    let depth = depth.map_or(0, |(_, std::cmp::Reverse(depth))| depth);
    let same_depth = depths.get(&depth).copied().unwrap_or(0) as f64 >= CONSTANT * paths.len() as f64;
    let ending = last_step(&paths.iter().filter_map(|path| path.last()).copied().collect::<Vec<_>>());
    let shallowest = paths.iter().map(Vec::len).min().unwrap_or(0);
    let leading = match same_depth {
        true => depth.saturating_sub(1),
        false if ending == "*" => shallowest,
        false => shallowest.saturating_sub(1),
    };
    let mut text = String::new();
    for at in 0..leading {
        let values: Vec<&str> = paths.iter().filter_map(|path| path.get(at)).copied().collect();
        text.push('/');
        text.push_str(usual(&values).unwrap_or("*"));
    }
    if !same_depth && ending != "*" {
        text.push_str("/*");
    }
    text.push('/');
    text.push_str(&ending);
    while text.contains("/*/*/*") {
        text = text.replace("/*/*/*", "/*/*");
    }
    text
}

/// What is constant of a step that ends a path: all of it, or a word that begins it and what it ends in.
fn last_step(values: &[&str]) -> String {
    if let Some(value) = usual(values) {
        return value.to_owned();
    }
    let endings: Vec<&str> =
        values.iter().map(|value| value.rsplit_once('.').map_or("", |(_, ending)| ending)).collect();
    // `struct.Vec.html`, `Jobs-3`, `issue17`: a word, and what parts it from the rest.
    let beginning = |value: &&'_ str| -> usize {
        let word = value.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>();
        match value[word..].chars().next() {
            Some('.' | '-' | '_') => word + 1,
            Some(c) if c.is_ascii_digit() && word > 1 => word,
            _ => 0,
        }
    };
    let beginnings: Vec<&str> = values.iter().map(|value| &value[..beginning(value)]).collect();
    let mut text = usual(&beginnings).unwrap_or_default().to_owned();
    text.push('*');
    if let Some(ending) = usual(&endings).filter(|ending| !ending.is_empty()) {
        text.push('.');
        text.push_str(ending);
    }
    text
}

/// The parameters that most addresses have, with the value where it is always the same.
fn parameters(urls: &[Url]) -> Vec<(String, Option<String>)> {
    let mut values: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for url in urls {
        // `;` parts parameters too.
        let mut url = url.clone();
        let query = url.query().map(|query| query.replace(';', "&"));
        url.set_query(query.as_deref());
        let mut here: Vec<(String, String)> =
            url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).take(8).collect();
        here.sort_unstable();
        here.dedup_by(|next, kept| next.0 == kept.0);
        for (name, value) in here {
            values.entry(name).or_default().push(value);
        }
    }
    let mut names: Vec<(String, Vec<String>)> =
        values.into_iter().filter(|(_, values)| values.len() * 2 > urls.len()).collect();
    names.sort_unstable();
    names.truncate(MAX_PARAMETERS);
    let constant = |values: &[String]| {
        let all = values.len() >= CONSTANT_VALUES && values.iter().all(|value| *value == values[0]);
        (all && !values[0].is_empty() && values[0].len() <= LONGEST_VALUE).then(|| values[0].clone())
    };
    names.into_iter().map(|(name, values)| (name, constant(&values))).collect()
}

/// The word that a step of a pattern begins with, if it says something: `struct` of `struct.*.html`, nothing of `2025`, of
/// a language, or of a single letter.
fn word(step: &str, at: usize) -> Option<String> {
    let step = step.split(['*', '.']).find(|piece| !piece.is_empty())?;
    // Addresses escape what is not ASCII.
    let step = percent_decode_str(step).decode_utf8_lossy();
    let word = slug(step.trim_end_matches(|c: char| !c.is_alphanumeric()))?;
    let plain = word.trim_matches(|c: char| c.is_ascii_digit() || c == '_');
    let says = plain.chars().count() > 1 && !EMPTY_WORDS.contains(&plain);
    (says && !(at == 0 && is_language(&word))).then_some(word)
}

/// `en`, `en_gb`: what a path begins with where a site has several languages.
fn is_language(word: &str) -> bool {
    let two = |piece: &str| piece.len() == 2 && piece.bytes().all(|byte| byte.is_ascii_lowercase());
    word.split('_').count() <= 2 && word.split('_').all(two)
}

/// The value that nearly all have.
fn usual<'v>(values: &[&'v str]) -> Option<&'v str> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let run = sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len())?;
    // A single page has no pattern to tell, only an address.
    (run.len() as f64 >= CONSTANT * values.len() as f64).then_some(run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_pattern(urls: &[&str]) -> String {
        UrlPattern::of(urls).text
    }

    #[test]
    fn patterns_keep_what_is_constant() {
        let tags = ["http://a.example/blog/tag/x/", "http://a.example/blog/tag/y/"];
        assert_eq!(url_pattern(&tags), "/blog/tag/*/");
        let docs = ["http://a.example/core/struct.A.html", "http://a.example/std/struct.B.html"];
        assert_eq!(url_pattern(&docs), "/*/struct.*.html");
        let deeper = ["http://a.example/core/struct.A.html", "http://a.example/std/fmt/struct.B.html"];
        assert_eq!(url_pattern(&deeper), "/*/*/struct.*.html");
        let numbered = ["http://a.example/tracker/msg1", "http://a.example/tracker/msg27"];
        assert_eq!(url_pattern(&numbered), "/tracker/msg*");
        let search = ["http://a.example/?s=tea", "http://a.example/?s=milk&page=2"];
        assert_eq!(url_pattern(&search), "/?s=*");
        let jobs: Vec<String> =
            ["a", "b", "c"].iter().map(|word| format!("http://a.example/?s={word}&kind=job")).collect();
        let jobs: Vec<&str> = jobs.iter().map(String::as_str).collect();
        assert_eq!(url_pattern(&jobs), "/?kind=job&s=*");
        let commits = ["a", "b", "c"].map(|hash| format!("http://a.example/git.cgi?p=one;a=commit;h={hash}"));
        let commits: Vec<&str> = commits.iter().map(String::as_str).collect();
        assert_eq!(url_pattern(&commits), "/git.cgi?a=commit&h=*&p=one");
        assert_eq!(url_pattern(&["no address"]), "*");
        assert_eq!(url_pattern(&["http://a.example/x/1", "http://a.example/x/1/2"]), "/x/1/*");
        assert_eq!(url_pattern(&["http://a.example"]), "/");
    }

    #[test]
    fn one_odd_address_changes_no_pattern() {
        let mut urls: Vec<String> = (0..30).map(|n| format!("http://a.example/item/{n}/")).collect();
        urls.push("http://a.example/odd".into());
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        assert_eq!(url_pattern(&urls), "/item/*/");
    }

    #[test]
    fn words_say_what_the_route_says() {
        let words = |urls: &[&str]| UrlPattern::of(urls).words;
        assert_eq!(words(&["http://a.example/blog/tag/x/", "http://a.example/blog/tag/y/"]), ["blog", "tag"]);
        assert_eq!(words(&["http://a.example/en-gb/shop/1", "http://a.example/en-gb/shop/2"]), ["shop"]);
        assert!(words(&["http://a.example/2025/index.html"]).is_empty());
        assert_eq!(words(&["http://a.example/bücher/1", "http://a.example/bücher/2"]), ["bücher"]);
        assert_eq!(words(&["http://a.example/书籍/1", "http://a.example/书籍/2"]), ["书籍"]);
        let list = UrlPattern::of(&["http://a.example/blog/?page=1", "http://a.example/blog/?page=2"]);
        assert!(list.ends_in_word && !list.asks);
        let post = UrlPattern::of(&["http://a.example/blog/a", "http://a.example/blog/b"]);
        assert!(!post.ends_in_word);
        assert!(UrlPattern::of(&["http://a.example/?q=a", "http://a.example/?q=b"]).asks);
    }
}
