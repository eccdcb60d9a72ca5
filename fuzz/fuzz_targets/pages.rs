#![no_main]
use libfuzzer_sys::fuzz_target;
use unsite_dom::{NodeId, PathStyle, Tree};

const URL: &str = "http://a.test/x/";

fn outline(tree: &Tree) -> Vec<(String, String, Vec<(String, String)>, u32)> {
    let attrs = |node| tree.attrs(node).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let nodes = tree.nodes();
    nodes.map(|node| (tree.name(node).to_owned(), tree.text(node).to_owned(), attrs(node), tree.end(node).0)).collect()
}

// Our parser gives the tree that html5ever gives, the tree is sound, and every reader copes with it.
fuzz_target!(|bytes: &[u8]| {
    let (tree, _) = Tree::parse(bytes, None, &unsite_fuzz::LIMITS);
    let (theirs, _) = Tree::parse_with_html5ever(bytes, None, &unsite_fuzz::LIMITS);
    assert_eq!(outline(&tree), outline(&theirs));
    assert_eq!(tree.end(NodeId::DOCUMENT).index(), tree.len());
    for node in tree.nodes().take(200) {
        tree.path(node, PathStyle::Attributes);
    }
    tree.links(URL);
    tree.forms(URL);
    tree.meta(URL);
    tree.root().map(|root| tree.visible_text(root));
    tree.is_script_shell();
});
