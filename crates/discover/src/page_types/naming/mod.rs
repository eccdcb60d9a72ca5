//! Names and URL patterns of page types.

mod marks;
mod pattern;

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::naming::Namer;
use crate::site::Site;
use marks::Marks;
use pattern::UrlPattern;

/// What a type is called.
pub(super) struct NamedType {
    pub(super) name: String,
    pub(super) url_pattern: String,
}

/// The words that name something in these addresses.
pub(super) fn route_words(urls: &[&str]) -> Vec<String> {
    UrlPattern::of(urls).words
}

/// Names the types of a site: by the last word of their addresses, else by what their pages alone say about
/// themselves (body class, title, heading), else by what their template calls its parts. A page at the very word under
/// which others stand is their `list`; where two types would have one name, more words of the address tell them apart, and
/// a number only where nothing else does. Larger types choose first. `beside` holds types that are called as another with
/// an ending of their own.
pub(super) fn name_types(
    site: &Site,
    members: &[Vec<usize>],
    beside: &FxHashMap<usize, (usize, &'static str)>,
) -> Vec<NamedType> {
    use rayon::prelude::*;
    let urls = site.urls();
    let patterns: Vec<UrlPattern> = members
        .par_iter()
        .map(|pages| UrlPattern::of(&pages.iter().map(|&page| urls[page]).collect::<Vec<&str>>()))
        .collect();
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&at| (Reverse(members[at].len()), at));
    let named_alone: Vec<usize> = order.iter().copied().filter(|at| !beside.contains_key(at)).collect();
    let marks = Marks::declared(site, members);
    let nested: FxHashSet<&str> = named_alone
        .iter()
        .filter(|&&at| !patterns[at].ends_in_word)
        .filter_map(|&at| Some(patterns[at].words.last()?.as_str()))
        .collect();
    let mut candidates: Vec<Vec<String>> = vec![Vec::new(); members.len()];
    for &at in &named_alone {
        candidates[at] = names_of(&patterns[at], &nested, marks.name(at));
    }
    if named_alone.iter().any(|&at| candidates[at].is_empty()) {
        let built = Marks::built(site, members);
        for (at, names) in candidates.iter_mut().enumerate().filter(|(_, names)| names.is_empty()) {
            names.extend(built.family_name(at));
        }
    }
    let mut namer = Namer::default();
    let mut taken: FxHashSet<&str> = FxHashSet::default();
    let mut names: Vec<String> = vec![String::new(); members.len()];
    for &at in &named_alone {
        let free = candidates[at].iter().find(|name| !taken.contains(name.as_str()));
        let name = free.or(candidates[at].first()).map_or("page", String::as_str);
        taken.insert(name);
        names[at] = namer.unique(name);
    }
    for at in order {
        if let Some(&(usual, ending)) = beside.get(&at) {
            let usual = names.get(usual).map_or("page", String::as_str);
            names[at] = namer.unique(&format!("{usual}_{ending}"));
        }
    }
    let texts = patterns.into_iter().map(|pattern| pattern.text);
    names.into_iter().zip(texts).map(|(name, url_pattern)| NamedType { name, url_pattern }).collect()
}

/// What a type may be called, the best first. `nested` are the words under which types of single things stand.
fn names_of(pattern: &UrlPattern, nested: &FxHashSet<&str>, mark: Option<String>) -> Vec<String> {
    if pattern.text == "/" {
        return vec!["home".into()];
    }
    let mut names: Vec<String> = Vec::new();
    let word = pattern.words.last();
    if pattern.asks && word.is_none_or(|word| !word.contains("search")) {
        // Where the address does not say that it searches, its parameter does.
        names.extend(word.map(|word| format!("{word}_search")));
        names.push("search".into());
        names.extend(pattern.value.as_ref().map(|value| format!("{value}_search")));
    }
    // A program is no kind of page; what it is asked for is.
    names.extend(pattern.value.clone().filter(|_| pattern.is_program));
    if let Some(word) = word {
        let is_list = pattern.ends_in_word && nested.contains(word.as_str()) && !pattern.asks;
        names.push(if is_list { format!("{word}_list") } else { word.clone() });
        if let [.., above, word] = &pattern.words[..] {
            names.push(if is_list { format!("{above}_{word}_list") } else { format!("{above}_{word}") });
        }
        names.extend(pattern.value.as_ref().map(|value| format!("{word}_{value}")));
    }
    names.extend(pattern.value.clone());
    // What pages say about themselves is more than the name of a parameter.
    names.extend(mark.clone());
    names.extend(word.zip(mark).map(|(word, mark)| format!("{word}_{mark}")));
    names.extend(pattern.parameter.clone());
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    fn named(types: &[&[(&str, &str)]]) -> Vec<String> {
        let pages = types.iter().flat_map(|pages| pages.iter()).map(|(path, html)| RawPage {
            url: format!("http://a.example{path}"),
            bytes: html.as_bytes().to_vec(),
            ..RawPage::default()
        });
        let site = Site::parse(pages.collect(), &Limits::default());
        let place = |path: &str| site.urls().iter().position(|url| url.ends_with(path)).unwrap();
        let members: Vec<Vec<usize>> =
            types.iter().map(|pages| pages.iter().map(|(path, _)| place(path)).collect()).collect();
        name_types(&site, &members, &FxHashMap::default()).into_iter().map(|named| named.name).collect()
    }

    #[test]
    fn routes_name_types_and_lists_are_called_so() {
        let names = named(&[
            &[("/blog/one", ""), ("/blog/two", ""), ("/blog/three", "")],
            &[("/blog/?page=1", ""), ("/blog/?page=2", "")],
            &[("/blog/tag/a", ""), ("/blog/tag/b", "")],
            &[("/shop/tag/c", ""), ("/shop/tag/d", "")],
            &[("/?s=a", ""), ("/?s=b", "")],
            &[("/", "")],
        ]);
        assert_eq!(names, ["blog", "blog_list", "tag", "shop_tag", "search", "home"]);
    }

    #[test]
    fn what_a_program_is_asked_for_names_types() {
        let names = named(&[
            &[("/git.cgi?a=log;h=1", ""), ("/git.cgi?a=log;h=2", ""), ("/git.cgi?a=log;h=3", "")],
            &[("/git.cgi?a=tree;h=1", ""), ("/git.cgi?a=tree;h=2", ""), ("/git.cgi?a=tree;h=3", "")],
        ]);
        assert_eq!(names, ["log", "tree"]);
    }

    #[test]
    fn pages_without_a_route_are_called_what_they_say() {
        let login = "<title>Sign in | Shop</title><h1>Sign in</h1>";
        let photo = "<title>x | Shop</title><div id=photo_frame><div class=photo_size>";
        let names = named(&[
            &[("/1", login), ("/2", login)],
            &[("/3", photo), ("/4", photo)],
            &[("/5", "<body class=product>"), ("/6", "<body class=product>")],
            &[("/7", ""), ("/8", "")],
            &[("/9", ""), ("/10", "")],
        ]);
        assert_eq!(names, ["sign_in", "photo", "product", "page", "page_2"]);
    }

    #[test]
    fn words_that_say_nothing_name_no_type() {
        let heading = |text: &str| format!("<html lang=en><h1>{text}</h1>");
        let (oak, ash) = (heading("The tall oak of the park"), heading("The old ash by a river"));
        let alone = heading("Luiz paints seven blue houses");
        let profile = [heading("Ann Example's profile"), heading("Bob Sample's profile")];
        let names = named(&[
            &[("/1", oak.as_str()), ("/2", ash.as_str())],
            &[("/3", alone.as_str())],
            &[("/4", profile[0].as_str()), ("/5", profile[1].as_str())],
        ]);
        assert_eq!(names, ["page", "page_2", "profile"]);
    }
}
