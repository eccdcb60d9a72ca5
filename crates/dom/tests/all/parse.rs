//! The tree from the outside: what stands where, and what hostile pages cannot do.

use unsite_dom::{Cut, Limits, NodeId, Tree};

fn tree(html: &str) -> Tree {
    Tree::parse(html.as_bytes(), None, &Limits::default()).0
}

fn outline(tree: &Tree) -> String {
    let mut out = String::new();
    for node in tree.nodes().skip(1) {
        let depth = tree.ancestors(node).count() - 1;
        let what = if tree.is_text(node) { tree.text(node) } else { tree.name(node) };
        out.push_str(&format!("{}{what}\n", " ".repeat(depth)));
    }
    out
}

#[test]
fn document_order_is_numeric_order() {
    let tree = tree("<title>t</title><p>one<b>two</b>three<p>four");
    assert_eq!(
        outline(&tree),
        "html\n head\n  title\n   t\n body\n  p\n   one\n   b\n    two\n   three\n  p\n   four\n"
    );
    for node in tree.nodes() {
        for child in tree.children(node) {
            assert_eq!(tree.parent(child), Some(node));
            assert!(tree.end(child) <= tree.end(node));
        }
    }
}

#[test]
fn moved_nodes_end_up_where_browsers_put_them() {
    // Foster parenting: text inside a table goes before it. Adoption agency: misnested formatting is split.
    assert_eq!(
        outline(&tree("<table>x<tr><td>y</table>")),
        "html\n head\n body\n  x\n  table\n   tbody\n    tr\n     td\n      y\n"
    );
    assert_eq!(outline(&tree("<b><p>x</b>y")), "html\n head\n body\n  b\n  p\n   b\n    x\n   y\n");
}

#[test]
fn what_a_program_wrote_as_xml_is_read_as_xml() {
    let xml = "<p><span id='a'/>x</p><script src='s'/><div/><textarea/><svg><a/><b>y</b></svg><ul><li/><li>z</li></ul>";
    assert_eq!(
        outline(&tree(xml)),
        "html\n head\n body\n  p\n   span\n   x\n  div\n  svg\n   a\n  b\n   y\n  ul\n   li\n   li\n    z\n"
    );
    // In HTML such a tag is open, as to browsers.
    let html = "<p><span id='a'/>x</p><script src='s'></script>";
    assert_eq!(outline(&tree(html)), "html\n head\n body\n  p\n   span\n    x\n  script\n");
}

#[test]
fn half_a_million_nested_tags_are_flattened_and_their_text_kept() {
    let html = format!("{}deep{}after", "<div>".repeat(500_000), "</div>".repeat(500_000));
    let (tree, cuts) = Tree::parse(html.as_bytes(), None, &Limits::default());
    assert_eq!(cuts, [Cut::Depth]);
    let texts: Vec<_> = tree.nodes().filter(|&n| tree.is_text(n)).map(|n| tree.text(n)).collect();
    assert_eq!(texts, ["deep", "after"]);
    let deepest = tree.nodes().map(|n| tree.ancestors(n).count()).max();
    assert!(deepest.is_some_and(|depth| depth <= Limits::default().depth + 2));
}

#[test]
fn unclosed_paragraphs_do_not_count_as_nesting() {
    let html = "<p>x".repeat(5000);
    let (tree, cuts) = Tree::parse(html.as_bytes(), None, &Limits::default());
    assert!(cuts.is_empty());
    assert_eq!(tree.elements("p").count(), 5000);
}

#[test]
fn node_and_byte_limits_cut_and_say_so() {
    let limits = Limits { nodes: 100, ..Limits::default() };
    let (tree, cuts) = Tree::parse("<i>x</i>".repeat(1000).as_bytes(), None, &limits);
    assert_eq!(cuts, [Cut::Nodes]);
    assert!(tree.len() <= 104);
    let limits = Limits { page_bytes: 10, ..Limits::default() };
    let (tree, cuts) = Tree::parse(b"0123456789abcdef", None, &limits);
    assert_eq!(cuts, [Cut::Bytes]);
    assert!(outline(&tree).contains("0123456789\n"));
}

#[test]
fn odd_pages_are_data() {
    assert!(tree("").root().is_some());
    assert_eq!(tree("").end(NodeId::DOCUMENT).index(), tree("").len());
    let attr = "x".repeat(3_000_000);
    let big = tree(&format!("<p title='{attr}'>y"));
    assert_eq!(big.elements("p").next().and_then(|p| big.attr(p, "title")).map(str::len), Some(3_000_000));
    let noise: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (noisy, _) = Tree::parse(&noise, None, &Limits::default());
    assert!(noisy.len() > 1);
    let spans = tree("<table><td colspan=9007199254740993>x</table>");
    assert!(spans.elements("td").next().is_some());
}
