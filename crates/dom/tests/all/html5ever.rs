//! Our parser gives the tree that html5ever gives: on random soup, on pages made to break things, on real sites.

use std::fmt::Write;

use proptest::prelude::*;
use unsite_dom::{Limits, Tree};

fn outline(tree: &Tree) -> String {
    let mut outline = String::new();
    for node in tree.nodes() {
        let depth = tree.ancestors(node).count();
        let _ = write!(outline, "{:>depth$}{} {:?}", "", tree.name(node), tree.text(node));
        for (name, value) in tree.attrs(node) {
            let _ = write!(outline, " {name}={value:?}");
        }
        let _ = writeln!(outline, " ..{}", tree.end(node).0);
    }
    for form in tree.forms("http://a.example/") {
        let names: Vec<_> = form.fields.iter().map(|field| &field.name).collect();
        let _ = writeln!(outline, "form {names:?}");
    }
    outline
}

fn both(html: &str) -> (String, String) {
    let limits = Limits::default();
    let (ours, _) = Tree::parse(html.as_bytes(), Some("utf-8"), &limits);
    let (theirs, _) = Tree::parse_with_html5ever(html.as_bytes(), Some("utf-8"), &limits);
    (outline(&ours), outline(&theirs))
}

const NAMES: &str = "a|b|p|i|div|span|table|tr|td|th|tbody|thead|tfoot|caption|col|colgroup|ul|ol|li|dl|dt|dd|form|\
    input|select|option|optgroup|label|textarea|svg|title|style|script|noscript|body|html|head|h1|h2|font|nobr|button|\
    meta|base|img|image|br|hr|pre|listing|iframe|object|applet|marquee|xmp|noembed|noframes|ruby|rb|rt|rp|rtc|address|\
    center|em|big|foreignObject|desc|path|clippath|x-y|frame|area|embed|param|source|keygen|wbr|\
    fieldset|section|article|nav|main|dialog|search|summary|details|output|TABLE|Td|sPan|isindex|menu|dir|var|sub";

fn piece(names: Vec<&'static str>) -> impl Strategy<Value = String> {
    let name = proptest::sample::select(names);
    let attrs = vec![
        "",
        "",
        "",
        "",
        "",
        " href='x?y&amp;z&copy=1'",
        " id=i",
        " class=' q  w '",
        " form=i",
        " type=hidden",
        " TYPE=HIDDEN",
        " x=\"",
        " /",
        "/",
        " =",
        " a=1 a=2",
        " a = 'b'c=d",
        " color=red",
        " viewbox='0 0'",
        " xlink:href=u",
        " xmlns='u' xml:lang=l",
        " selected",
        " ä=ö",
        " a='&lt;&#65;&amp'",
        " b=1>2",
        "\n\tq\n=\nr",
    ];
    let attrs = proptest::sample::select(attrs);
    let text = vec![
        " ",
        "\n",
        " \n ",
        "x",
        "x y",
        "&amp;",
        "&nbsp",
        "&notit;",
        "&#65;",
        "&#0;",
        "&#128;",
        "&",
        "&;",
        "&#x;",
        "<",
        "</",
        "<3",
        "</ x>",
        "<!-- c -->",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!--->",
        "<!x>",
        "<?php ?>",
        "<![CDATA[x]]>",
        "<!doctype html>",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.0 Transitional//EN\">",
        "<!doctype",
        "</script>",
        "<script><!-- <script>",
        "</script >",
        "<!--<script>--></script>",
        "\r\n",
        "\r",
        "\u{a0}",
        "İI",
        "图书",
        "</>",
        "&acE;",
        "&#10;",
        "\u{c}",
    ];
    prop_oneof![
        6 => (name.clone(), attrs).prop_map(|(name, attrs)| format!("<{name}{attrs}>")),
        4 => name.prop_map(|name| format!("</{name}>")),
        3 => proptest::sample::select(text).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
        // What our parser leaves to html5ever.
        1 => (0..40usize).prop_map(|at| {
            ["<math>", "<frameset>", "<template>", "<plaintext>", "\0", "<!doctype"].get(at).copied().unwrap_or("").to_owned()
        }),
    ]
}

fn names() -> Vec<&'static str> {
    NAMES.split('|').collect()
}

/// Few names, so that the same come up inside each other.
fn soup_of_few() -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(names(), 2..8)
        .prop_flat_map(|names| prop::collection::vec(piece(names), 0..60))
}

const CASES: u32 = 4_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_gives_the_same_tree(pieces in prop::collection::vec(piece(names()), 0..30), in_body in any::<bool>()) {
        let start = if in_body { "<!doctype html><title>t</title><body>" } else { "" };
        let html = format!("{start}{}", pieces.concat());
        let (ours, theirs) = both(&html);
        prop_assert_eq!(ours, theirs, "{}", html);
    }

    #[test]
    fn soup_of_few_names_gives_the_same_tree(pieces in soup_of_few(), in_body in any::<bool>()) {
        let start = if in_body { "<!doctype html><title>t</title><body>" } else { "" };
        let html = format!("{start}{}", pieces.concat());
        let (ours, theirs) = both(&html);
        prop_assert_eq!(ours, theirs, "{}", html);
    }
}

#[test]
fn pages_made_to_break_parsers_give_the_same_tree() {
    let many_links = "<a>".repeat(20);
    for html in [
        "",
        "x",
        "<p><b><b><b><b><p>x",
        "<p><b class=x><b class=x><b><b class=x><b class=x></p><p>y",
        "<b><p>1</b>2</p>3",
        "<a href=1><p>x<a href=2>y</a>z",
        "<a><table><td><a><table></table><a></tr><a></table><b>X</b>C<a>Y",
        "<b><i><u><s><p>x</b>y",
        "<b><em><foo><foo><foo><aside></b></em>",
        "<font><p>hello<b>cruel</font>world",
        "<table>x<tr>y<td>z</td>w</table>v",
        "<table><b><tr><td>a</b>b</table>c",
        "<table> \n<tr> <td>x</table>",
        "<table>a<!-- c -->b<tr><td>",
        "<table><tr><td><table><tr><td>x</td></tr>y</table>z</table>",
        "<table><form><input><tr><td><input name=a></form></table><input name=b>",
        "<form><div></form><input name=a></div><input name=b>",
        "<form><table></form><tr><td><input name=c>",
        "<select><option>a<option>b<optgroup><option>c</select>d",
        "<select><b>x</select>y<select><input><select>",
        "<table><select><tr><td>x",
        "<svg><title><p>x</title><foreignObject><div></svg>y</div>",
        "<svg viewbox=1 xlink:href=2><lineargradient/><a><p>x",
        "<a viewbox=1 xlink:href=2>x</a><svg viewbox=1 xlink:href=2><g viewbox=1 /></svg><i viewbox=1 xlink:href=2>",
        "<i title='a>b'>x</i><i title='a>b'>y</i><i title='a>c'>z</i><b title='a>",
        "<html class=a><body class=a id=b><p class=a><html class=a lang=x><body id=b title=t><p class=a id=b><p class=a>",
        "<br /><br/><br / ><p / id=x><p / id=x><a href=x/><a href=x/>",
        "<svg><g><font size=1>x</font></g></svg><svg><font>y</font></svg>",
        "<svg><desc></p></desc></br></svg>",
        "<svg><![CDATA[ x ]]></svg>",
        "<pre>\n\nx</pre><pre><!-- c -->\ny</pre><textarea>\nz</textarea><listing>&#10;w",
        "<title>a &amp; </titlex> b</TITLE >c",
        "<script><!-- <script> </script> --> </script>x",
        "<script><!-- </script>x--></script>",
        "<script><!--><script></script>x",
        "<style></styl</style>x",
        "<textarea></textarea",
        "<title>x</title ",
        "<p>x</p </p",
        "<div a=1 b='2' c=\"3\" a=4 D=5/e>x",
        "<div a='1' b",
        "<div =x =y z=>x</div>",
        "<br/><p/>x<img/><div/>y",
        "</p></br></x></table></div>x",
        "<html a=1><html a=2 b=3><body c=4><body c=5 d=6><html e=7>",
        "<head></head> <!-- c --> <script>x</script><title>t</title><p>y",
        "<head><noscript><link><p>x</noscript>y",
        "</head><link></head>x",
        "<!doctype html><p><table>x",
        "<p><table>x",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"u\"><p><table>x",
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><p><table>x",
        "<body>x</body> y</html> z<!-- c --> <p>w",
        "<ul><li>a<li>b<ul><li>c</ul>d</ul><dl><dt>x<dd>y<dt>z</dl>",
        "<li><div><li><p><li><address><li>",
        "<h1>a<h2>b</h3>c",
        "<button>a<p><button>b</button>c",
        "<nobr>a<nobr>b<p><nobr>c",
        "<object><b></object>x</b>y",
        "<ruby>a<rb>b<rt>c<rtc>d<rp>e</ruby>",
        "<table><caption>a<b><tr><td>b</caption>c",
        "<table><colgroup> <col>x<col></colgroup><col><tr>",
        "<table><td></body></html></tbody>x<th>y</td>z</table>",
        "<table><tbody></thead></tbody></table></tr><table></tfoot>",
        "<image src=x><isindex><keygen><frame><frameset>",
        "&amp&ltx&#x41;&#65&#xD800;&#99999999;&&nbsp;&notin;&notit;",
        "<a href='?a=1&copy=2&lt=3&amp;b'>",
        "a\r\nb\rc<p title='d\r\ne'>f\0g",
        "<!-->a<!--->b<!----!>c<!-- -- -->d<!--->e--><!x><?y?></ z></>f<",
        &many_links,
        &format!("{}x", "<div>".repeat(600)),
        &format!("<table>{}", "x<tr a=1>".repeat(600)),
        &format!("<p>{}", "<b a=1><i><p>".repeat(200)),
    ] {
        let (ours, theirs) = both(html);
        assert_eq!(ours, theirs, "{html}");
    }
}

#[test]
fn as_many_attributes_are_read_however_often_one_is_written() {
    for count in [255, 256, 257, 300, 2000, 5000] {
        for (many, last) in [("a ", "b"), ("a=1 ", "b=2"), ("a='x y' c ", "b"), ("a\n", "b")] {
            let same = format!("<p {}{last}>x<p>y", many.repeat(count));
            let other: String = (0..count).map(|at| format!("a{at} ")).collect();
            for html in [same, format!("<p {other}{last}>x<p {other}a1>y</p {other}>z")] {
                let (ours, theirs) = both(&html);
                assert!(ours == theirs, "{count} of {many:?}");
            }
        }
    }
}
