//! Main texts of pages of one type: what recurs around them is template, whatever its numbers.
#![allow(missing_docs)]

use unsite_discover::regions::TypeText;
use unsite_dom::{Limits, Terms, Tree};

#[test]
fn lines_that_differ_in_numbers_and_names_alone_are_template() {
    let names = ["Brian Romero", "Ann Smith", "John Andrews", "Mary Jones", "Li Wei", "Eva Berg"];
    let page = |at: usize| {
        let words = ["oak", "ash", "elm", "yew", "fir", "box"][at];
        let body: Vec<String> = ('a'..='p').map(|letter| format!("{words}{letter},")).collect();
        // Most minutes are the same, so that the number counts as a common word; the last one's is not.
        let minute = if at < 5 { 51 } else { 52 };
        let html = format!(
            "<article><p>{}</p><p>Reviewed by <b>{}</b> on 15 Nov 2026, 6:{minute} a.m.</p><p>Current rating: {at}</p></article>",
            body.join(" "),
            names[at]
        );
        (Tree::parse(html.as_bytes(), None, &Limits::default()).0, body.join(" "))
    };
    let pages: Vec<(Tree, String)> = (0..6).map(page).collect();
    let terms = Terms::new();
    let learned = TypeText::learn(&pages.iter().map(|(tree, _)| tree).collect::<Vec<_>>(), &terms);
    for (tree, body) in &pages {
        assert_eq!(learned.main_text(tree, &terms), *body);
        assert_eq!(learned.main_markdown(tree, "http://s.test/", &terms), *body);
    }
}
