use unsite_dom::Limits;

use super::*;

fn tree(html: &str) -> Tree {
    Tree::parse(html.as_bytes(), None, &Limits::default()).0
}

/// A page of answers under a heading, beside the same navigation.
fn page(query: &str, items: &[&str]) -> Tree {
    let list: String = items
        .iter()
        .map(|item| format!("<li><h3><a href=/{item}>{item} {query}</a></h3><p>about {item}</p>"))
        .collect();
    let answer =
        if items.is_empty() { "<p>Sorry, nothing.</p>".to_owned() } else { format!("<ul>{list}</ul>") };
    tree(&format!(
        "<nav><ul><li><a href=/>Home</a><li><a href=/all>All of it</a><li><a href=/help>Help</a></ul></nav>\
         <main><h1>Results</h1><div>{answer}</div></main><footer><p>Imprint</p><p>Contact</p></footer>"
    ))
}

fn texts(tree: &Tree, pagelet: &Pagelet) -> Vec<String> {
    pagelet.objects.iter().map(|run| run.iter().map(|&node| tree.visible_text(node)).collect()).collect()
}

#[test]
fn the_list_of_answers_is_the_pagelet_and_its_entries_are_the_objects() {
    let pages = [
        page("tea", &["oolong", "sencha", "assam"]),
        page("wood", &["oak", "ash", "elm", "yew"]),
        page("metal", &["zinc"]),
        page("xqzjkw", &[]),
        page("fish", &["carp", "pike"]),
    ];
    let found = pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new());
    let names: Vec<&str> = found.pages.iter().map(|pagelet| pagelet.answer().name()).collect();
    assert_eq!(names, ["multi-match", "multi-match", "single-match", "no-match", "multi-match"]);
    assert_eq!(pages[1].name(found.pages[1].node.unwrap()), "ul");
    assert_eq!(found.pages[3].node, None);
    assert_eq!(texts(&pages[2], &found.pages[2]), ["zinc metal\nabout zinc"]);
    assert_eq!(found.pages[1].objects.len(), 4);
    assert!(found.similarity <= 0.5 && found.dynamic > 3);
}

#[test]
fn nothing_to_compare_gives_no_pagelet() {
    let one = page("tea", &["oolong", "sencha"]);
    assert_eq!(pagelets(&[&one], &Terms::new()).pages, [Pagelet::default()]);
    assert!(pagelets(&[], &Terms::new()).pages.is_empty());
    let empty = [tree(""), tree(""), tree("<p>")];
    let found = pagelets(&empty.iter().collect::<Vec<_>>(), &Terms::new());
    assert!(found.pages.iter().all(|pagelet| pagelet.answer() == Answer::NoMatch));
}

#[test]
fn deep_nesting_is_no_trouble() {
    let deep = |word: &str| tree(&format!("{}{word}", format!("<div>{word} ").repeat(2_000)));
    let pages = [deep("a"), deep("b"), deep("c")];
    assert_eq!(pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new()).pages.len(), 3);
}
