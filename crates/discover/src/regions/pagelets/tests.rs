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
fn items_may_span_several_siblings() {
    let list = |words: &[&str], item: &dyn Fn(&str) -> String| {
        let items: String = words.iter().map(|word| item(word)).collect();
        tree(&format!("<p>Home</p><div>{items}</div><p>Imprint</p>"))
    };
    let words: [&[&str]; 3] = [&["oak", "ash"], &["carp", "pike", "eel"], &["zinc", "tin"]];
    // Tags in turns; siblings of one tag that differ in what they hold; and in their class alone.
    let items: [&dyn Fn(&str) -> String; 3] = [
        &|word| format!("<h3><a href=/{word}>{word}</a></h3><p>what {word} is</p>"),
        &|word| format!("<div><b>{word}</b> <i>new</i></div><div><a href=/{word}>all</a> of {word}</div>"),
        &|word| format!("<p class=name>{word}</p><p class=about>what {word} is</p>"),
    ];
    for (at, item) in items.into_iter().enumerate() {
        let pages: Vec<Tree> = words.iter().map(|words| list(words, item)).collect();
        let found = pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new());
        let counts: Vec<usize> = found.pages.iter().map(|pagelet| pagelet.objects.len()).collect();
        assert_eq!(counts, [2, 3, 2], "{at}");
        let first = texts(&pages[0], &found.pages[0]);
        assert!(first[0].matches("oak").count() == 2 && first[1].matches("ash").count() == 2, "{first:?}");
    }
    // Striped rows take turns too, and are items of their own.
    let striped = |words: &[&str]| {
        let row = |(at, word): (usize, &&str)| {
            format!("<li class={}><a href=/{word}>{word}</a> what {word} is</li>", ["odd", "even"][at % 2])
        };
        let rows: String = words.iter().enumerate().map(row).collect();
        tree(&format!("<p>Home</p><ul>{rows}</ul><p>Imprint</p>"))
    };
    let pages: Vec<Tree> = words.iter().map(|words| striped(words)).collect();
    let found = pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new());
    assert_eq!(found.pages[1].objects.len(), 3);
}

#[test]
fn definitions_are_items_and_a_model_reads_a_page_that_is_alone() {
    let page = |words: &[&str]| {
        let list: String = words
            .iter()
            .map(|word| format!("<dt><a href=/{word}>{word}</a></dt><dd>what {word} is</dd>"))
            .collect();
        tree(&format!("<p>Home</p><dl>{list}</dl><p>Imprint</p>"))
    };
    let pages = [page(&["oak", "ash"]), page(&["carp", "pike", "eel"]), page(&["zinc", "tin"])];
    let found = pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new());
    assert_eq!(found.pages[1].objects.len(), 3);
    assert_eq!(texts(&pages[0], &found.pages[0]), ["oakwhat oak is", "ashwhat ash is"]);
    let alone = page(&["ruby"]);
    let read = found.model.unwrap().read(&alone);
    assert_eq!((read.answer(), texts(&alone, &read)), (Answer::Single, vec!["rubywhat ruby is".to_owned()]));
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

#[test]
fn a_pager_among_the_items_is_none_of_them() {
    let page = |words: &[&str]| {
        let list: String = words
            .iter()
            .map(|word| format!("<div class='post x-{word}'><h2>{word}</h2><div>what {word} is</div></div>"))
            .collect();
        let pager = "<div class=pager><div><a href=?p=2>Older posts</a></div></div>";
        tree(&format!("<p>Home</p><div id=list>{pager}{list}</div><p>Imprint</p>"))
    };
    let pages = [page(&["oak", "ash"]), page(&["carp", "pike", "eel"]), page(&["zinc", "tin"])];
    let found = pagelets(&pages.iter().collect::<Vec<_>>(), &Terms::new());
    assert_eq!(
        texts(&pages[1], &found.pages[1]),
        ["carp\nwhat carp is", "pike\nwhat pike is", "eel\nwhat eel is"]
    );
}
