//! Recognising page types: by everything that marks a page, with a refusal for strangers.

use unsite_dom::{Limits, Tree};
use unsite_wrapper::{ClassMap, PageMarks, Recognised, Recogniser};

fn marks(url: &str, html: &str) -> PageMarks {
    let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
    PageMarks::of(&tree, url, &ClassMap::default())
}

/// Two kinds of pages that look the same and stand under different routes, and one that looks different.
fn learned() -> Recogniser {
    let mut pages = Vec::new();
    let mut types = Vec::new();
    for n in 0..20 {
        pages.push(tag(n));
        types.push(0);
        pages.push(author(n));
        types.push(1);
        pages.push(item(n));
        types.push(2);
    }
    Recogniser::learn(&pages, &types, 3).0
}

fn list(n: usize) -> String {
    let items: String = (0..n % 5 + 1).map(|at| format!("<li><a href=/item/{at}>item {at}</a>")).collect();
    format!("<title>List of {n} - Shop</title><body><div><h1>Things {n}</h1><ul>{items}</ul></div>")
}

fn tag(n: usize) -> PageMarks {
    marks(&format!("http://shop.test/tag/t{n}"), &list(n))
}

fn author(n: usize) -> PageMarks {
    marks(&format!("http://shop.test/author/a{n}"), &list(n))
}

fn item(n: usize) -> PageMarks {
    let html =
        format!("<body><article><h1>Item {n}</h1><p>Text <b>{n}</b></p><table><tr><td>{n}</table></article>");
    marks(&format!("http://shop.test/item/{n}"), &html)
}

fn found(recogniser: &Recogniser, page: &PageMarks) -> Option<usize> {
    recogniser.recognise(page, None).map(|found: Recognised| found.page_type)
}

#[test]
fn types_that_differ_in_their_route_alone_are_told_apart() {
    let recogniser = learned();
    for n in 30..40 {
        assert_eq!(found(&recogniser, &tag(n)), Some(0));
        assert_eq!(found(&recogniser, &author(n)), Some(1));
        assert_eq!(found(&recogniser, &item(n)), Some(2));
    }
    let evidence = recogniser.recognise(&tag(50), None).unwrap();
    assert_eq!(evidence.runner_up, Some(1));
    assert!(evidence.evidence[0] > 1.0, "the address speaks: {evidence:?}");
}

#[test]
fn strangers_are_refused_under_every_address() {
    let recogniser = learned();
    let stranger =
        "<body><center><font><table><tr><td><font><b>x</b><br><i>y</i></font></table></font></center>";
    for url in ["http://shop.test/item/7", "http://shop.test/tag/t3", "http://other.test/", ""] {
        assert_eq!(found(&recogniser, &marks(url, stranger)), None, "{url}");
    }
    // The same page elsewhere is a mirror.
    let copy = marks(
        "http://mirror.test/item/77",
        "<body><article><h1>Item 7</h1><p>Text <b>7</b></p><table><tr><td>7</table></article>",
    );
    assert_eq!(found(&recogniser, &copy), Some(2));
}

#[test]
fn a_page_keeps_the_type_it_had_at_its_address() {
    let recogniser = learned();
    let page = tag(3);
    assert_eq!(recogniser.recognise(&page, Some(1)).map(|found| found.page_type), Some(1));
    assert_eq!(
        recogniser.recognise(&page, Some(2)).map(|found| found.page_type),
        Some(0),
        "it looks like no item"
    );
}

#[test]
fn nothing_learned_recognises_nothing() {
    assert_eq!(found(&Recogniser::default(), &item(1)), None);
    let (one, _) = Recogniser::learn(&[item(1)], &[0], 1);
    assert_eq!(found(&one, &item(2)), Some(0));
    assert_eq!(found(&one, &tag(2)), None);
}

#[test]
fn a_type_learned_anew_leaves_the_others_as_they_were() {
    let old = learned();
    // Items look another way now; lists were not looked at.
    let new_item = |n: usize| {
        let html = format!("<body><section><h2>Item {n}</h2><dl><dt>Text<dd>{n}</dl></section>");
        marks(&format!("http://shop.test/item/{n}"), &html)
    };
    let pages: Vec<PageMarks> = (0..20).map(new_item).collect();
    let fresh = Recogniser::learn(&pages, &[2; 20], 3).0;
    let renewed = old.renewed(&fresh, &pages, &[2; 20], &[false, false, true]);
    assert_eq!(renewed.prototypes[..2], old.prototypes[..2]);
    assert_eq!(renewed.pages, [20, 20, 20]);
    for n in 30..40 {
        assert_eq!(found(&renewed, &tag(n)), Some(0));
        assert_eq!(found(&renewed, &author(n)), Some(1));
        assert_eq!(found(&renewed, &new_item(n)), Some(2));
        assert_eq!(found(&renewed, &item(n)), None, "the old look is no item any more");
    }
}
