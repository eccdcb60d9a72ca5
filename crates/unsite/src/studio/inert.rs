//! A page of the site as it looks and nothing more: written from our own tree, with the number of its node on every element
//! and around every text.
//!
//! Only what is known to be harmless is written: elements that show something, attributes that say how. No script, no frame,
//! no form that could be sent, no address that could be followed or fetched. The answer's policy and the frame's sandbox say
//! the same once more.

use unsite_dom::{NodeId, Tree};

/// The largest page that is written, in nodes: enough for every page that people look at.
const MOST_NODES: usize = 150_000;

/// Elements that are left out with everything in them.
const LEFT_OUT: [&str; 22] = [
    "script",
    "noscript",
    "iframe",
    "frame",
    "frameset",
    "object",
    "embed",
    "applet",
    "portal",
    "fencedframe",
    "template",
    "link",
    "meta",
    "base",
    "title",
    "audio",
    "video",
    "source",
    "track",
    "param",
    "canvas",
    "slot",
];

/// Attributes that are written. Addresses are none of them.
const ATTRIBUTES: [&str; 34] = [
    "class",
    "id",
    "style",
    "dir",
    "lang",
    "alt",
    "width",
    "height",
    "align",
    "valign",
    "bgcolor",
    "color",
    "border",
    "cellpadding",
    "cellspacing",
    "colspan",
    "rowspan",
    "span",
    "nowrap",
    "start",
    "type",
    "value",
    "placeholder",
    "open",
    "rows",
    "cols",
    "size",
    "face",
    "viewbox",
    "d",
    "points",
    "fill",
    "stroke",
    "hidden",
];

/// Elements without an end tag.
const VOID: [&str; 9] = ["area", "br", "col", "hr", "img", "input", "wbr", "bgsound", "keygen"];

/// Elements between whose children no text may be wrapped.
const BARE: [&str; 12] = [
    "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "option", "optgroup", "textarea",
    "style", "svg",
];

/// What is put before the styles of the page, for pages whose own styles are elsewhere.
const PLAIN: &str = "html{background:#fff;color:#1d1d1b}body{font-family:system-ui,sans-serif;line-height:1.5;margin:0;padding:1.5rem;max-width:70rem}\
    img{max-width:100%}table{border-collapse:collapse}td,th{padding:.2rem .6rem .2rem 0;text-align:left;vertical-align:top}\
    a{color:#0b57a4}";

/// What marks nodes, whatever the page's own styles say.
const MARKS: &str = "u-t{display:inline}.u-no-image{display:inline-block;min-width:2.5em;min-height:1.6em;padding:0 .4em;\
    border:1px solid #b8b4ab;background:#f1efea;color:#57534a;font:12px system-ui,sans-serif}\
    [data-u-cell]{box-shadow:inset 0 -2px 0 rgba(15,110,95,.55)!important}\
    [data-u-row]{outline:1px dashed rgba(15,110,95,.45)!important;outline-offset:2px!important}\
    [data-u-at]{outline:3px solid #c2410c!important;outline-offset:2px!important;scroll-margin:30vh}\
    [data-u-over]{outline:2px solid #c2410c!important;outline-offset:1px!important}*{cursor:default!important;\
    animation:none!important;transition:none!important}";

/// A page that can do nothing.
pub(super) fn inert(tree: &Tree) -> String {
    let mut out = String::with_capacity(tree.len() * 24);
    out.push_str("<!doctype html><html><head><meta charset=\"utf-8\"><title>page</title><style>");
    let has_styles = tree.elements("style").next().is_some();
    let has_sheets = tree.elements("link").any(|link| {
        tree.attr(link, "rel").is_some_and(|rel| rel.to_ascii_lowercase().contains("stylesheet"))
    });
    if has_sheets || !has_styles {
        out.push_str(PLAIN);
    }
    out.push_str("</style>");
    for style in tree.elements("style").take(200) {
        out.push_str("<style>");
        for child in tree.children(style).filter(|&child| tree.is_text(child)) {
            style_text(tree.text(child), &mut out);
        }
        out.push_str("</style>");
    }
    out.push_str("<style>");
    out.push_str(MARKS);
    out.push_str("</style></head>");
    match tree.elements("body").next() {
        Some(body) => write(tree, body, &mut out),
        None => out.push_str("<body>"),
    }
    out.push_str("</body></html>");
    out
}

/// Writes a subtree without recursion: markup of strangers may be nested as deep as it likes.
fn write(tree: &Tree, top: NodeId, out: &mut String) {
    let mut open: Vec<(NodeId, String)> = Vec::new();
    let mut skip_until = None;
    for node in std::iter::once(top).chain(tree.descendants(top)).take(MOST_NODES) {
        if skip_until.is_some_and(|end: NodeId| node < end) {
            continue;
        }
        skip_until = None;
        while open.last().is_some_and(|(above, _)| node >= tree.end(*above)) {
            close(&mut open, out);
        }
        if tree.is_text(node) {
            text(tree, node, out);
            continue;
        }
        if !tree.is_element(node) {
            continue;
        }
        let name = tree.name(node);
        if LEFT_OUT.contains(&name) || name == "style" || name == "head" {
            skip_until = Some(tree.end(node));
            continue;
        }
        let tag = harmless(name);
        element(tree, node, tag, out);
        if !VOID.contains(&tag) {
            open.push((node, tag.to_owned()));
        } else {
            skip_until = Some(tree.end(node));
        }
    }
    while open.len() > 1 {
        close(&mut open, out);
    }
}

fn close(open: &mut Vec<(NodeId, String)>, out: &mut String) {
    if let Some((_, tag)) = open.pop() {
        out.push_str("</");
        out.push_str(&tag);
        out.push('>');
    }
}

/// The tag that is written for an element: forms and what is not plain become boxes. A box that holds texts keeps its place.
fn harmless(name: &str) -> &str {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    match name {
        "form" | "html" | "dialog" | "button" | "marquee" | "details" | "plaintext" | "xmp" | "listing"
        | "math" => "div",
        "a" | "area" | "map" => "a",
        "summary" | "label" => "span",
        "image" => "img",
        _ if is_plain && !name.is_empty() => name,
        _ => "span",
    }
}

fn element(tree: &Tree, node: NodeId, tag: &str, out: &mut String) {
    if tag == "img" {
        // The picture itself is elsewhere; what it is called is here.
        let alt = tree.attr(node, "alt").map(str::trim).filter(|alt| !alt.is_empty()).unwrap_or("picture");
        out.push_str(&format!("<span class=\"u-no-image\" data-u=\"{}\" title=\"picture\">", node.index()));
        escape(alt, out);
        out.push_str("</span>");
        return;
    }
    out.push('<');
    out.push_str(tag);
    out.push_str(&format!(" data-u=\"{}\"", node.index()));
    for (name, value) in tree.attrs(node) {
        if !ATTRIBUTES.contains(&name)
            || name == "type" && tag != "input" && tag != "ol" && tag != "ul" && tag != "li"
        {
            continue;
        }
        // A file that could be chosen, a picture that could be fetched.
        let is_loud = name == "type"
            && tag == "input"
            && matches!(value.trim().to_ascii_lowercase().as_str(), "file" | "image");
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        match name {
            _ if is_loud => out.push_str("text"),
            "style" => {
                let mut style = String::new();
                style_text(value, &mut style);
                escape(&style, out);
            }
            _ => escape(value, out),
        }
        out.push('"');
    }
    if matches!(tag, "input" | "select" | "textarea" | "a") {
        out.push_str(" tabindex=\"-1\"");
    }
    if matches!(tag, "input" | "select" | "textarea") {
        out.push_str(" disabled");
    }
    out.push('>');
}

fn text(tree: &Tree, node: NodeId, out: &mut String) {
    let content = tree.text(node);
    let is_bare = tree.parent(node).is_none_or(|parent| BARE.contains(&tree.name(parent)));
    if is_bare || content.trim().is_empty() {
        escape(content, out);
        return;
    }
    out.push_str(&format!("<u-t data-u=\"{}\">", node.index()));
    escape(content, out);
    out.push_str("</u-t>");
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\0' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// The text of a style without anything that could end it, and without addresses: nothing would be fetched, and so nobody asks.
fn style_text(css: &str, out: &mut String) {
    let css = spelled_out(css);
    let lower = css.to_ascii_lowercase();
    let mut at = 0;
    while at < css.len() {
        let rest = &lower[at..];
        if RULES.iter().any(|rule| rest.starts_with(rule)) {
            at += rest.find(';').map_or(rest.len(), |end| end + 1);
        } else if FETCHING.iter().any(|name| rest.starts_with(name)) {
            out.push_str("none");
            at += rest.find(')').map_or(rest.len(), |end| end + 1);
        } else if let Some(c) = css[at..].chars().next() {
            match c {
                '<' => out.push_str("\\3c "),
                c => out.push(c),
            }
            at += c.len_utf8();
        } else {
            break;
        }
    }
}

/// Rules that bring other styles.
const RULES: [&str; 3] = ["@import", "@namespace", "@charset"];

/// Functions that name something to fetch.
const FETCHING: [&str; 6] = ["url(", "src(", "image(", "image-set(", "-webkit-image-set(", "cross-fade("];

/// A style without escapes in its words: `\75 rl` is `url`. Other escapes stay as they are.
fn spelled_out(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        let code = u32::from_str_radix(&after[..digits], 16).ok().and_then(char::from_u32);
        let is_word = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        match (code.filter(is_word), after.chars().next()) {
            (Some(c), _) => {
                out.push(c);
                let behind = &after[digits..];
                rest = behind.strip_prefix([' ', '\t', '\n']).unwrap_or(behind);
            }
            // A letter that is no digit of a number stands for itself.
            (None, Some(c)) if digits == 0 && is_word(&c) => rest = after,
            (None, _) => {
                out.push('\\');
                let next = after.chars().next().map_or(0, char::len_utf8);
                out.push_str(&after[..next]);
                rest = &after[next..];
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn written(html: &str) -> String {
        inert(&Tree::parse(html.as_bytes(), None, &Limits::default()).0)
    }

    #[test]
    fn nothing_that_acts_is_written() {
        let html = "<base href=//x><script>a()</script><body onload=a()><a href=javascript:a() ping=//x>b</a><img src=//x onerror=a()>\
                    <form action=//x><input type=image src=//x autofocus onfocus=a()></form><iframe srcdoc=x></iframe>\
                    <svg onload=a()><use href=//x></use></svg><style>@import '//x';p{background:url(//x)}</style>\
                    <meta http-equiv=refresh content='0;//x'><p style=\"x\">\"&lt;script&gt;";
        let out = written(html);
        for word in
            ["//x", "a()", "<script", "<iframe", "<form", "<meta http", "href", "src=", "onload", "@import"]
        {
            assert!(!out.contains(word), "{word} in {out}");
        }
        assert!(out.contains("&lt;script&gt;") && out.contains("data-u="), "{out}");
    }

    #[test]
    fn styles_cannot_end_themselves() {
        let mut out = String::new();
        style_text("a::before{content:'</style><script>x'}b{background:URL(http://x)}", &mut out);
        assert!(!out.contains('<') && !out.contains("http"), "{out}");
        for css in [
            "a{b:\\75 rl(http://x)}",
            "a{b:u\\72l(http://x)}",
            "a{b:u\\RL(http://x)}",
            "a{b:image-set('http://x' 1x)}",
        ] {
            let mut out = String::new();
            style_text(css, &mut out);
            assert!(!out.contains("http"), "{css} is {out}");
        }
        let mut out = String::new();
        style_text("q::before{content:'\\201C \\\\'}", &mut out);
        assert_eq!(out, "q::before{content:'\\201C \\\\'}");
    }

    #[test]
    fn every_element_that_is_opened_is_closed() {
        let deep = format!("<body>{}x", "<div><b>".repeat(3000));
        let out = written(&deep);
        assert_eq!(out.matches("<div").count(), out.matches("</div>").count());
        let out = written("<table><tr><td>1<td>2</table><ul><li>a<li>b</ul><p>c");
        assert!(out.contains("</ul><p data-u="), "{out}");
    }
}
