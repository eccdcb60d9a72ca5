//! Pages made to hurt: each must parse, in time linear in its size, into a sound tree.

use unsite_dom::{Cut, Limits, NodeId, PathStyle, Terms, Tree};

/// Unoptimised builds are some twenty times slower: they get smaller pages of the same kind.
fn size(full: usize) -> usize {
    if cfg!(debug_assertions) { full / 20 } else { full }
}

fn parse(html: &str) -> (Tree, Vec<Cut>) {
    let (tree, cuts) = Tree::parse(html.as_bytes(), None, &Limits::default());
    check(&tree);
    (tree, cuts)
}

/// What holds for every tree.
fn check(tree: &Tree) {
    assert_eq!(tree.end(NodeId::DOCUMENT).index(), tree.len());
    let mut open: Vec<NodeId> = Vec::new();
    for node in tree.nodes() {
        while open.pop_if(|above| tree.end(*above) <= node).is_some() {}
        assert_eq!(tree.parent(node), open.last().copied());
        assert!(tree.end(node) > node);
        assert!(open.last().is_none_or(|above| tree.end(node) <= tree.end(*above)));
        if tree.is_text(node) {
            assert_eq!(tree.end(node).0, node.0 + 1);
            assert!(!tree.text(node).is_empty());
        }
        open.push(node);
    }
}

#[test]
fn a_million_attributes_on_one_tag() {
    let mut html = String::from("<p>before</p><div ");
    for i in 0..size(1_000_000) {
        html.push_str(&format!("a{i}=\">\" "));
    }
    html.push_str("><b class=x>after</b>");
    let (tree, cuts) = parse(&html);
    assert_eq!(cuts, [Cut::Attributes]);
    let div = tree.elements("div").next().unwrap();
    assert_eq!(tree.attrs(div).count(), 256);
    assert_eq!(tree.attr(div, "a255"), Some(">"));
    assert_eq!(tree.visible_text(NodeId::DOCUMENT), "before\nafter");
}

#[test]
fn many_tags_with_hundreds_of_attributes_each() {
    let tag: String = (0..3000).map(|i| format!("x{i} ")).collect();
    let html = format!("<i {tag}>y</i {tag}>").repeat(300);
    let (tree, cuts) = parse(&html);
    assert_eq!(cuts, [Cut::Attributes]);
    assert_eq!(tree.elements("i").count(), 300);
}

#[test]
fn attributes_hidden_where_a_naive_scan_would_lose_them() {
    let tag: String = (0..size(200_000)).map(|i| format!("x{i} ")).collect();
    for before in [
        "<svg><style>",
        "<svg><![CDATA[ <i x=\"]]>",
        "<frameset><script>",
        "<!-- <p x=' -->",
        "<script>a<b='</script>",
        "<textarea><i x=\"</textarea>",
        "<p title='<i a=\"'>",
    ] {
        let (_, cuts) = parse(&format!("{before}<p {tag}>z"));
        assert_eq!(cuts, [Cut::Attributes], "{before}");
    }
}

#[test]
fn long_honest_tags_are_left_alone() {
    let image = "A".repeat(300_000);
    let html = format!(
        "<img src='data:image/png;base64,{image}' alt=\"a > b\"><p {} id=z>x",
        "data-x='1' ".repeat(200)
    );
    let (tree, cuts) = parse(&html);
    assert!(cuts.is_empty());
    let img = tree.elements("img").next().unwrap();
    assert_eq!(tree.attr(img, "src").map(str::len), Some(300_022));
    assert_eq!(tree.attr(img, "alt"), Some("a > b"));
    assert_eq!(tree.elements("p").next().and_then(|p| tree.attr(p, "id")), Some("z"));
}

#[test]
fn repeated_body_tags_do_not_pile_up_attributes() {
    let html: String = (0..size(200_000)).map(|i| format!("<body b{i}=1>")).collect();
    let (tree, _) = parse(&html);
    let body = tree.elements("body").next().unwrap();
    assert_eq!(tree.attrs(body).count(), 256);
    let merged = parse("<body a=1 b=2>x<body b=3 c=4>").0;
    let body = merged.elements("body").next().unwrap();
    assert_eq!(merged.attrs(body).collect::<Vec<_>>(), [("a", "1"), ("b", "2"), ("c", "4")]);
}

#[test]
fn a_million_formatting_tags() {
    let distinct: String = (0..size(200_000)).map(|i| format!("<b id=b{i}>")).collect();
    assert!(parse(&distinct).1.contains(&Cut::Depth));
    let paragraphs: String = (0..size(20_000)).map(|i| format!("<font id={i}><p>x")).collect();
    assert!(parse(&paragraphs).0.len() > 1000);
    assert!(parse(&"<a>".repeat(size(1_000_000))).0.len() > 1);
    assert!(parse(&"<a><b></a>".repeat(size(100_000))).0.len() > 1);
}

#[test]
fn a_million_distinct_names() {
    let html: String = (0..size(300_000)).map(|i| format!("<x{i}></x{i}>")).collect();
    let (tree, _) = parse(&html);
    assert_eq!(tree.path_hashes(PathStyle::Tags).len(), tree.len());
}

#[test]
fn a_million_options() {
    let (tree, _) =
        parse(&format!("<form><select name=s>{}</select></form>", "<option>x".repeat(size(1_000_000))));
    let forms = tree.forms("http://a.example/");
    assert!(forms[0].fields[0].options.len() >= size(900_000));
}

#[test]
fn repetition_of_what_parsers_find_hard() {
    for (piece, times) in [
        ("<table><tr><td>", 200_000),
        ("</p>x", 500_000),
        ("<", 2_000_000),
        ("</", 2_000_000),
        ("<!--", 1_000_000),
        ("&", 2_000_000),
        ("&#xD800;", 500_000),
        ("&notit;", 500_000),
        ("\0", 1_000_000),
        ("<p\0x=\0>\0", 200_000),
        ("<table>x<tr><td>y</table>", 100_000),
        ("<svg><p>", 100_000),
        ("<math><annotation-xml encoding='text/html'>", 100_000),
        ("<template>", 300_000),
        ("<select><input>", 200_000),
        ("<form><input>", 200_000),
        ("<li><ul>", 200_000),
        ("<dd><dt>", 300_000),
        ("<button>", 300_000),
        ("<nobr>", 300_000),
        ("<h1><h2>", 200_000),
        ("<ruby><rt>", 200_000),
        ("<frameset>", 200_000),
        ("</body></html>x", 200_000),
        ("<title>", 300_000),
        ("<plaintext>", 200_000),
    ] {
        let (tree, _) = parse(&piece.repeat(size(times)));
        assert!(tree.len() > 1, "{piece}");
    }
    let one_table: String = "x<tr><td>y".repeat(size(200_000));
    assert!(parse(&format!("<table>{one_table}")).0.len() > 1000);
}

#[test]
fn everything_can_be_read_off_a_hostile_page() {
    let piece = "<a href=x><table itemscope itemref=a><td itemprop=p id=a><h1><label><dl><div><dt>x</div>\
                 <form><select><option>y</select><input>";
    let (tree, _) = parse(&piece.repeat(3000));
    let url = "http://a.example/";
    assert!(!tree.links(url).is_empty());
    assert!(!tree.forms(url).is_empty());
    assert!(!tree.tables().is_empty());
    assert!(!tree.lists().is_empty());
    assert!(!tree.meta(url).headings.is_empty());
    assert!(!tree.microdata(url).is_empty());
    let _ = tree.embedded(url);
    assert!(tree.skeleton().count() > 1000);
    assert!(Terms::new().language(&tree).is_none());
}

#[test]
fn a_huge_text_stays_one_node() {
    let (tree, _) = parse(&"lorem ipsum &amp; ".repeat(size(1_000_000)));
    assert_eq!(tree.nodes().filter(|&node| tree.is_text(node)).count(), 1);
}

#[test]
fn characters_survive_the_borders_of_pieces() {
    // Multi-byte characters, entities, line ends and U+FEFF lie across the pieces the page is fed in.
    let piece = "äß漢字😀\u{feff}&auml;\r\n<b title='ü&lt;'>é</b><!-- – --><!doctype x public 'y'>";
    let (tree, cuts) = parse(&piece.repeat(3000));
    assert!(cuts.is_empty());
    assert_eq!(tree.elements("b").count(), 3000);
    assert!(tree.elements("b").all(|b| tree.attr(b, "title") == Some("ü<")));
    let texts: Vec<_> = tree.nodes().filter(|&node| tree.is_text(node)).map(|node| tree.text(node)).collect();
    assert_eq!(texts.len(), 6000);
    assert!(texts.iter().step_by(2).all(|text| *text == "äß漢字😀\u{feff}ä\n"));
}
