//! Random tag soup: nothing panics, every tree is sound, every reader copes.

use proptest::prelude::*;
use unsite_dom::{Language, Limits, NodeId, PathStyle, Terms, Tree, collapse};

fn piece() -> impl Strategy<Value = String> {
    let names = "a|b|p|i|div|table|tr|td|th|tbody|ul|li|dl|dt|dd|form|input|select|option|label|textarea|svg|math|\
                 title|style|script|template|body|html|head|frameset|h1|font|nobr|button|meta|base|img|x-y";
    let names: Vec<&'static str> = names.split('|').collect();
    let name = proptest::sample::select(names);
    let attrs = proptest::sample::select(vec![
        "",
        " href='x?y#z'",
        " itemscope",
        " itemprop='a b'",
        " colspan=3",
        " rowspan=0",
        " id=i",
        " for=i",
        " style='display:none'",
        " hidden",
        " itemref='i j'",
        " lang=tr",
        " content='c' property='og:x'",
        " x=\"",
        " type=application/ld+json",
        " /",
        " =",
        " class=' q  w '",
        " form=i",
        " itemtype='http://s/T'",
    ]);
    prop_oneof![
        (name.clone(), attrs).prop_map(|(name, attrs)| format!("<{name}{attrs}>")),
        name.prop_map(|name| format!("</{name}>")),
        "\\PC{0,12}",
        proptest::sample::select(vec![
            "<!--",
            "-->",
            "&amp;",
            "&#0;",
            "\0",
            " \u{a0}\n",
            "{\"a\":[1,",
            "<![CDATA[",
            "İI",
            "图书"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_never_panics_and_trees_are_sound(pieces in prop::collection::vec(piece(), 0..60), depth in 3usize..40) {
        let html = pieces.concat();
        let limits = Limits { depth, nodes: 200, ..Limits::default() };
        let (tree, _) = Tree::parse(html.as_bytes(), None, &limits);
        prop_assert_eq!(tree.end(NodeId::DOCUMENT).index(), tree.len());
        let mut children = 0;
        for node in tree.nodes() {
            for child in tree.children(node) {
                prop_assert_eq!(tree.parent(child), Some(node));
                children += 1;
            }
            prop_assert!(!tree.is_text(node) || tree.end(node).0 == node.0 + 1);
        }
        prop_assert_eq!(children + 1, tree.len());
        let places = tree.path_hashes(PathStyle::Attributes);
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            for other in tree.nodes().filter(|&node| tree.is_element(node)) {
                let same = tree.path(node, PathStyle::Attributes) == tree.path(other, PathStyle::Attributes);
                prop_assert_eq!(same, places[node.index()] == places[other.index()]);
            }
        }
        for text in tree.texts() {
            prop_assert!(!text.text.is_empty());
            prop_assert_eq!(&collapse(&text.text), &text.text);
        }
        let url = "http://a.example/d/";
        let _ = (tree.links(url), tree.forms(url), tree.meta(url), tree.embedded(url), tree.lists());
        for table in tree.tables() {
            let grid = table.grid();
            prop_assert!(grid.iter().all(|row| row.len() == table.columns as usize));
            for cell in &table.cells {
                prop_assert!((cell.row + cell.row_span) as usize <= table.rows.len());
                prop_assert!(cell.column + cell.column_span <= table.columns);
            }
        }
        let elements = tree.nodes().filter(|&node| tree.is_element(node)).count();
        prop_assert_eq!(tree.skeleton().count(), 2 * elements);
    }

    #[test]
    fn bytes_of_any_kind_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..2000), label in "[a-z0-9-]{0,8}") {
        let (tree, _) = Tree::parse(&bytes, Some(&label), &Limits::default());
        prop_assert!(tree.root().is_some());
        prop_assert!(!tree.visible_text(NodeId::DOCUMENT).contains("\n\n"));
    }

    #[test]
    fn pieces_of_a_page_make_no_difference(pieces in prop::collection::vec(piece(), 0..40)) {
        // The same soup behind a long comment lies otherwise across the pieces the tokenizer is fed.
        let html = pieces.concat();
        let shifted = format!("<!--{}-->{html}", "x".repeat(4070));
        let outline = |html: &str| {
            let (tree, _) = Tree::parse(html.as_bytes(), Some("utf-8"), &Limits::default());
            tree.nodes().map(|n| format!("{} {} {}", tree.name(n), tree.text(n), tree.end(n).0)).collect::<Vec<_>>()
        };
        prop_assert_eq!(outline(&html), outline(&shifted));
    }
}

#[test]
fn stemmers_take_any_word() {
    let terms = Terms::new();
    let tags = [
        "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr",
    ];
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    runner
        .run(&"[\\p{Letter}\\p{Mark}'’]{1,20}", |word| {
            for tag in tags {
                let _ = terms.terms(&word, Language::from_tag(tag));
            }
            let _ = terms.plain_terms(&word);
            Ok(())
        })
        .unwrap();
}
