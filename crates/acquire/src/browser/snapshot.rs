//! The page as it stands in the browser: markup that can be parsed again, and where its texts were drawn.
//!
//! # What it does
//! Reads the answer of `DOMSnapshot.captureSnapshot`, which holds the nodes and their rectangles of one moment, and writes
//! the nodes down as HTML. Shadow trees are written where they show; frames are left out, and so is what is only there
//! for browsers without scripts. Texts that touch are one text, as they will be when the markup is parsed.
//! # Assumes
//! The first document is the page.
//! # When it fails
//! Content that scripts draw without nodes (canvas) is not there.
//! # Paper
//! Chrome DevTools Protocol, domain DOMSnapshot.

use serde::Deserialize;
use unsite_dom::{Layout, PlacedText, TextBox, collapse};

/// Elements whose text is written as it stands.
const RAW: [&str; 7] = ["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"];

const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements that are left out with all they hold: frames are other pages, the rest is for browsers without scripts.
const LEFT_OUT: [&str; 3] = ["iframe", "frame", "noscript"];

/// Elements whose texts are never drawn.
const UNDRAWN: [&str; 6] = ["head", "script", "style", "template", "title", "textarea"];

const ELEMENT: u8 = 1;
const TEXT: u8 = 3;
const DOCUMENT: u8 = 9;
const FRAGMENT: u8 = 11;

/// The parts of the answer that are read.
#[derive(Deserialize)]
pub(super) struct Snapshot {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    nodes: Nodes,
    layout: LayoutTree,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<u8>,
    node_name: Vec<i64>,
    node_value: Vec<i64>,
    attributes: Vec<Vec<i64>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct LayoutTree {
    node_index: Vec<usize>,
    bounds: Vec<Vec<f64>>,
}

impl Snapshot {
    /// The markup, and where its texts were drawn in a window of this width.
    pub(super) fn write(&self, width: u32) -> (String, Layout) {
        let mut layout = Layout { width, texts: Vec::new() };
        let Some(document) = self.documents.first() else { return (String::new(), layout) };
        let mut writer = Writer {
            snapshot: self,
            nodes: &document.nodes,
            places: places(document),
            html: String::from("<!DOCTYPE html>"),
            text: String::new(),
            place: None,
            undrawn: 0,
            texts: &mut layout.texts,
        };
        writer.write();
        (writer.html, layout)
    }

    fn string(&self, at: i64) -> &str {
        usize::try_from(at).ok().and_then(|at| self.strings.get(at)).map_or("", String::as_str)
    }
}

/// The rectangle of each node, by its number.
fn places(document: &Document) -> Vec<Option<TextBox>> {
    let mut places = vec![None; document.nodes.node_type.len()];
    for (&node, bounds) in document.layout.node_index.iter().zip(&document.layout.bounds) {
        let [x, y, width, height] = bounds[..] else { continue };
        if let Some(place) = places.get_mut(node) {
            let whole = |value: f64| value.round().clamp(-1e9, 1e9) as i32;
            let own = TextBox { x: whole(x), y: whole(y), width: whole(width), height: whole(height) };
            *place = Some(place.map_or(own, |other| around(other, own)));
        }
    }
    places
}

/// The rectangle around two.
fn around(a: TextBox, b: TextBox) -> TextBox {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    TextBox {
        x,
        y,
        width: (a.x + a.width).max(b.x + b.width) - x,
        height: (a.y + a.height).max(b.y + b.height) - y,
    }
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    nodes: &'a Nodes,
    places: Vec<Option<TextBox>>,
    html: String,
    /// The text that is being put together from touching nodes, and its rectangle so far.
    text: String,
    place: Option<TextBox>,
    /// How many open elements never show their texts.
    undrawn: usize,
    texts: &'a mut Vec<PlacedText>,
}

enum Step {
    Open(usize),
    Close(usize),
}

impl Writer<'_> {
    fn write(&mut self) {
        let children = self.children();
        let mut steps: Vec<Step> = (0..self.nodes.node_type.len().min(1)).map(Step::Open).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Open(node) => {
                    if self.open(node) {
                        steps.push(Step::Close(node));
                        steps.extend(children[node].iter().rev().map(|&child| Step::Open(child)));
                    }
                }
                Step::Close(node) => self.close(node),
            }
        }
        self.end_text(None);
    }

    /// The children of each node in order. A parent stands before its children, whatever the answer says.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.node_type.len()];
        for (node, &parent) in self.nodes.parent_index.iter().enumerate().take(children.len()) {
            if let Ok(parent) = usize::try_from(parent)
                && parent < node
            {
                children[parent].push(node);
            }
        }
        children
    }

    fn name(&self, node: usize) -> String {
        let name = self.nodes.node_name.get(node).map_or("", |&at| self.snapshot.string(at));
        // Names of generated content begin with two colons and are no elements.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.chars().all(plain) && !name.is_empty() { name.to_lowercase() } else { String::new() }
    }

    /// Writes the start of a node; false when there is nothing below to be written.
    fn open(&mut self, node: usize) -> bool {
        match self.nodes.node_type[node] {
            TEXT => {
                let value = self.nodes.node_value.get(node).map_or("", |&at| self.snapshot.string(at));
                self.text.push_str(value);
                if let Some(own) = self.places[node] {
                    self.place = Some(self.place.map_or(own, |place| around(place, own)));
                }
                false
            }
            ELEMENT => {
                let name = self.name(node);
                if name.is_empty() || LEFT_OUT.contains(&name.as_str()) {
                    return false;
                }
                self.end_text(None);
                self.start_tag(node, &name);
                self.undrawn += usize::from(UNDRAWN.contains(&name.as_str()));
                !VOID.contains(&name.as_str())
            }
            DOCUMENT | FRAGMENT => true,
            _ => false,
        }
    }

    fn close(&mut self, node: usize) {
        if self.nodes.node_type[node] != ELEMENT {
            return;
        }
        let name = self.name(node);
        self.end_text(Some(&name));
        self.undrawn -= usize::from(UNDRAWN.contains(&name.as_str()));
        self.html.push_str(&format!("</{name}>"));
    }

    fn start_tag(&mut self, node: usize, name: &str) {
        self.html.push('<');
        self.html.push_str(name);
        let attributes = self.nodes.attributes.get(node).map_or(&[][..], Vec::as_slice);
        for pair in attributes.chunks_exact(2) {
            let attribute = self.snapshot.string(pair[0]);
            if attribute.contains(|c: char| c.is_whitespace() || "\"'>/=<".contains(c))
                || attribute.is_empty()
            {
                continue;
            }
            let value = self.snapshot.string(pair[1]);
            self.html.push_str(&format!(" {attribute}=\""));
            escape(value, '"', &mut self.html);
            self.html.push('"');
        }
        self.html.push('>');
    }

    /// Writes the text that was put together.
    fn end_text(&mut self, inside: Option<&str>) {
        let text = std::mem::take(&mut self.text);
        let place = self.place.take();
        if text.is_empty() {
            return;
        }
        match inside {
            // What would end the element early cannot be written inside it.
            Some(name) if RAW.contains(&name) => {
                self.html.push_str(&text.replace("</", "<\\/"));
            }
            _ => escape(&text, '<', &mut self.html),
        }
        let text = collapse(&text);
        if self.undrawn == 0 && !text.is_empty() {
            self.texts.push(PlacedText { text: text.into_owned(), place });
        }
    }
}

/// Writes a text so that it is read back as it is; `end` is what else would end it.
fn escape(text: &str, end: char, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            '<' if end == '<' => html.push_str("&lt;"),
            '"' if end == '"' => html.push_str("&quot;"),
            _ => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use unsite_dom::{Limits, Tree};

    /// A snapshot of nodes given as (parent, type, name, value, attributes) with rectangles for some.
    fn snapshot(nodes: &[(i64, u8, &str, &str, &[&str])], boxes: &[(usize, [f64; 4])]) -> Snapshot {
        let mut strings: Vec<String> = Vec::new();
        let mut number = |text: &str| {
            strings.push(text.to_owned());
            strings.len() as i64 - 1
        };
        let nodes = json!({
            "parentIndex": nodes.iter().map(|node| node.0).collect::<Vec<_>>(),
            "nodeType": nodes.iter().map(|node| node.1).collect::<Vec<_>>(),
            "nodeName": nodes.iter().map(|node| number(node.2)).collect::<Vec<_>>(),
            "nodeValue": nodes.iter().map(|node| number(node.3)).collect::<Vec<_>>(),
            "attributes": nodes.iter()
                .map(|node| node.4.iter().map(|text| number(text)).collect::<Vec<_>>()).collect::<Vec<_>>(),
        });
        let layout = json!({
            "nodeIndex": boxes.iter().map(|(node, _)| *node).collect::<Vec<_>>(),
            "bounds": boxes.iter().map(|(_, bounds)| bounds.to_vec()).collect::<Vec<_>>(),
        });
        let whole = json!({"documents": [{"nodes": nodes, "layout": layout}], "strings": strings});
        serde_json::from_value(whole).expect("is a snapshot")
    }

    #[test]
    fn what_is_written_is_read_back_with_its_places() {
        let snapshot = snapshot(
            &[
                (-1, DOCUMENT, "#document", "", &[]),
                (0, ELEMENT, "HTML", "", &[]),
                (1, ELEMENT, "BODY", "", &["class", "a\"b&c"]),
                (2, ELEMENT, "P", "", &[]),
                (3, TEXT, "#text", "1 < 2 ", &[]),
                (3, TEXT, "#text", "& 3", &[]),
                (2, ELEMENT, "NOSCRIPT", "", &[]),
                (6, TEXT, "#text", "<p>switch scripts on", &[]),
                (2, ELEMENT, "SCRIPT", "", &["type", "application/json"]),
                (8, TEXT, "#text", "{\"a\": \"</script>\"}", &[]),
                (2, ELEMENT, "IMG", "", &["src", "x.png"]),
                (2, ELEMENT, "X-CARD", "", &[]),
                (11, FRAGMENT, "#document-fragment", "", &[]),
                (12, TEXT, "#text", "in the shadow", &[]),
                (2, ELEMENT, "DIV", "", &["hidden", ""]),
                (14, TEXT, "#text", "unseen", &[]),
            ],
            &[(4, [8.0, 10.4, 20.0, 16.0]), (5, [28.0, 10.0, 30.0, 16.0]), (13, [100.6, 50.0, 1.0, 1.0])],
        );
        let (html, layout) = snapshot.write(800);
        let texts: Vec<&str> = layout.texts.iter().map(|placed| placed.text.as_str()).collect();
        assert_eq!(texts, ["1 < 2 & 3", "in the shadow", "unseen"]);
        assert_eq!(layout.texts[0].place, Some(TextBox { x: 8, y: 10, width: 50, height: 16 }));
        assert_eq!(layout.texts[2].place, None);
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let body = tree.elements("body").next().expect("has a body");
        assert_eq!(tree.attr(body, "class"), Some("a\"b&c"));
        assert!(tree.elements("noscript").next().is_none());
        let boxes = layout.boxes(&tree);
        let mut places: Vec<i32> = boxes.values().map(|place| place.x).collect();
        places.sort_unstable();
        assert_eq!(places, [8, 101]);
        let script = tree.elements("script").next().expect("has a script");
        let json: String = tree.children(script).map(|text| tree.text(text)).collect();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).expect("is JSON")["a"], "</script>");
    }

    #[test]
    fn nonsense_is_written_as_nothing() {
        assert_eq!(snapshot(&[], &[(7, [0.0; 4])]).write(800).0, "<!DOCTYPE html>");
        let empty: Snapshot =
            serde_json::from_value(json!({"documents": [], "strings": []})).expect("is one");
        assert!(empty.write(800).1.texts.is_empty());
        let loops = snapshot(&[(5, ELEMENT, "P", "", &[]), (0, ELEMENT, "P Q", "", &[])], &[]);
        assert_eq!(loops.write(800).0, "<!DOCTYPE html><p></p>");
    }
}
