//! Data that a page carries for machines: JSON-LD, microdata and OpenGraph, as flat leaves.

use serde_json::Value;

use crate::microdata::{Item, PropertyValue};
use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// Objects inside objects are followed this far. Published vocabularies nest four or five deep.
const MAX_NESTING: usize = 16;

/// The most leaves of one page. The fullest honest pages, long product lists, have some thousands.
const MAX_LEAVES: usize = 50_000;

/// Paths longer than this, in bytes, are no vocabulary's.
const MAX_PATH: usize = 300;

/// Where a leaf was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EmbeddedKind {
    /// `<script type="application/ld+json">`
    JsonLd,
    /// `itemscope` and `itemprop`
    Microdata,
    /// `<meta property="og:...">` and its relatives (`article:`, `book:`, `product:`, `twitter:` ...)
    OpenGraph,
    /// Data for the page's own scripts, see [`Tree::state`]
    State,
}

/// One value, and how it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Where it was found.
    pub kind: EmbeddedKind,
    /// The script, the property's element or the meta element.
    pub node: NodeId,
    /// The number of the top-level item that it belongs to, counted per kind.
    pub item: u32,
    /// The type of the innermost object around it (`Offer`), without the vocabulary's address; may be empty.
    pub type_name: String,
    /// Property names from the top-level item down, joined by dots: `offers.price`. Arrays add nothing.
    pub path: String,
    /// The value as text, white space collapsed.
    pub value: String,
}

impl Tree {
    /// All embedded data of a page as leaves: JSON-LD first, then microdata, OpenGraph and the state of
    /// scripts.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let html = br#"<script type="application/ld+json">
    ///     {"@type": "Book", "name": "Larkspur", "offers": [{"@type": "Offer", "price": 12.5}]}</script>"#;
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let leaves = tree.embedded("https://shop.example/");
    /// let price = leaves.iter().find(|leaf| leaf.path == "offers.price").unwrap();
    /// assert_eq!((price.type_name.as_str(), price.value.as_str()), ("Offer", "12.5"));
    /// ```
    pub fn embedded(&self, page_url: &str) -> Vec<Leaf> {
        let mut leaves = self.json_ld();
        let mut rest = MAX_LEAVES.saturating_sub(leaves.len());
        leaves.extend(microdata_leaves(&self.microdata(page_url), rest));
        rest = MAX_LEAVES.saturating_sub(leaves.len());
        leaves.extend(self.open_graph().take(rest));
        rest = MAX_LEAVES.saturating_sub(leaves.len());
        leaves.extend(self.state().into_iter().take(rest));
        leaves
    }

    /// The leaves of JSON-LD scripts. Malformed JSON is mended where the mistake is a common one (comment
    /// marks around it, raw line breaks in strings, commas too many) and passed over where it is not.
    pub fn json_ld(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut item = 0;
        for script in self.elements("script") {
            let kind = self.attr(script, "type").unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim();
            if !kind.eq_ignore_ascii_case("application/ld+json") {
                continue;
            }
            let json: String = self.children(script).map(|text| self.text(text)).collect();
            for value in parse_json(&json) {
                let mut walk = JsonWalk {
                    kind: EmbeddedKind::JsonLd,
                    script,
                    leaves: &mut leaves,
                    item: &mut item,
                    path: String::new(),
                };
                walk.top_level(&value);
            }
        }
        leaves
    }

    /// The leaves of microdata, links as they stand.
    pub fn microdata_leaves(&self) -> Vec<Leaf> {
        microdata_leaves(&self.microdata(""), MAX_LEAVES)
    }

    /// `meta` elements with a `property` (or `name`) that has a prefix, such as `og:title`.
    fn open_graph(&self) -> impl Iterator<Item = Leaf> {
        self.elements("meta").filter_map(|node| {
            let name = self.attr(node, "property").or_else(|| self.attr(node, "name"))?.trim();
            let (prefix, rest) = name.split_once(':')?;
            let known = [
                "og", "article", "book", "product", "profile", "music", "video", "twitter", "place",
                "business",
            ];
            if rest.is_empty() || name.len() > MAX_PATH || !known.contains(&prefix) {
                return None;
            }
            let value = collapse(self.attr(node, "content")?).into_owned();
            let path = name.to_ascii_lowercase();
            let kind = EmbeddedKind::OpenGraph;
            (!value.is_empty()).then(|| Leaf { kind, node, item: 0, type_name: String::new(), path, value })
        })
    }
}

/// Every JSON value in the text, as far as it can be read.
pub(crate) fn parse_json(text: &str) -> Vec<Value> {
    let text = strip_wrapping(text);
    if let Ok(value) = serde_json::from_str(text) {
        return vec![value];
    }
    let mended = mend_json(text);
    // Several values one after the other are read up to the first that is beyond mending.
    serde_json::Deserializer::from_str(&mended).into_iter::<Value>().map_while(Result::ok).collect()
}

/// Takes off what pages put around JSON to hide it from ancient browsers.
fn strip_wrapping(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text;
        for start in ["\u{feff}", "<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "//"] {
            text = text.strip_prefix(start).unwrap_or(text).trim_start();
        }
        for end in ["-->", "//]]>", "// ]]>", "/*]]>*/", "]]>", "//", ";"] {
            text = text.strip_suffix(end).unwrap_or(text).trim_end();
        }
        if text.len() == before.len() {
            return text;
        }
    }
}

/// Escapes raw control characters in strings and drops commas before a closing bracket.
fn mend_json(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    // Where a comma stands that nothing but white space has followed.
    let mut comma: Option<usize> = None;
    for c in text.chars() {
        if in_string {
            match c {
                '\n' | '\r' | '\t' => mended.push(' '),
                c if c.is_control() => {}
                c => mended.push(c),
            }
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '}' | ']' => {
                if let Some(at) = comma {
                    mended.truncate(at);
                }
                mended.push(c);
            }
            c => mended.push(c),
        }
        comma = match c {
            ',' => Some(mended.len() - 1),
            c if c.is_whitespace() => comma,
            _ => None,
        };
        in_string = c == '"';
    }
    mended
}

pub(crate) struct JsonWalk<'a> {
    pub(crate) kind: EmbeddedKind,
    pub(crate) script: NodeId,
    pub(crate) leaves: &'a mut Vec<Leaf>,
    pub(crate) item: &'a mut u32,
    pub(crate) path: String,
}

impl JsonWalk<'_> {
    /// Arrays at the top and `@graph` hold items side by side. The parser has bounded the nesting to 128.
    pub(crate) fn top_level(&mut self, value: &Value) {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(values) => waiting.extend(values.iter().rev()),
                Value::Object(fields) => {
                    if let Some(graph @ (Value::Array(_) | Value::Object(_))) = fields.get("@graph") {
                        waiting.push(graph);
                    }
                    let before = self.leaves.len();
                    self.value(value, "", 0);
                    *self.item += u32::from(self.leaves.len() > before);
                }
                _ => {}
            }
        }
    }

    /// Recurses at most [`MAX_NESTING`] deep.
    fn value(&mut self, value: &Value, type_name: &str, depth: usize) {
        if depth > MAX_NESTING || self.leaves.len() >= MAX_LEAVES || self.path.len() > MAX_PATH {
            return;
        }
        let text = match value {
            Value::Null => return,
            Value::Bool(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => collapse(text).into_owned(),
            Value::Array(values) => {
                for value in values {
                    self.value(value, type_name, depth + 1);
                }
                return;
            }
            Value::Object(fields) => {
                let own_type = fields.get("@type").map_or("", first_string);
                for (name, field) in fields {
                    if matches!(name.as_str(), "@context" | "@type" | "@graph") {
                        continue;
                    }
                    let before = self.path.len();
                    if before > 0 {
                        self.path.push('.');
                    }
                    if name == "@value" {
                        // A value with its type or language spelt out stands for itself.
                        self.path.truncate(before);
                    } else {
                        self.path.push_str(name);
                    }
                    self.value(field, short_type(own_type), depth + 1);
                    self.path.truncate(before);
                }
                return;
            }
        };
        if !text.is_empty() {
            self.leaves.push(Leaf {
                kind: self.kind,
                node: self.script,
                item: *self.item,
                type_name: type_name.to_owned(),
                path: self.path.clone(),
                value: text,
            });
        }
    }
}

fn first_string(value: &Value) -> &str {
    match value {
        Value::Array(values) => values.first().and_then(Value::as_str).unwrap_or(""),
        value => value.as_str().unwrap_or(""),
    }
}

/// `http://schema.org/Book` and `schema:Book` are a `Book`. Absurdly long names are none.
fn short_type(name: &str) -> &str {
    let short = name.trim_end_matches('/').rsplit(['/', '#', ':']).next().unwrap_or("");
    if short.len() > MAX_PATH { "" } else { short }
}

fn microdata_leaves(items: &[Item], limit: usize) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    // Items can refer to one another in circles and fans; depth and this end it.
    let mut steps = 0;
    let tops = items.iter().enumerate().filter(|(_, item)| item.top);
    for (number, (top, _)) in tops.enumerate() {
        // Items to read, with the path that led there and how many items lie above.
        let mut waiting = vec![(top, String::new(), 0usize)];
        while let Some((index, path, depth)) = waiting.pop() {
            steps += 1;
            if steps > limit {
                return leaves;
            }
            let item = &items[index];
            let type_name = item.types.first().map_or("", |name| short_type(name));
            for property in &item.properties {
                let dot = if path.is_empty() { "" } else { "." };
                if leaves.len() >= limit || path.len() + property.name.len() > MAX_PATH {
                    continue;
                }
                let below = format!("{path}{dot}{}", property.name);
                match &property.value {
                    PropertyValue::Text(text) if text.is_empty() => {}
                    PropertyValue::Text(text) => leaves.push(Leaf {
                        kind: EmbeddedKind::Microdata,
                        node: property.node,
                        item: number as u32,
                        type_name: type_name.to_owned(),
                        path: below,
                        value: text.clone(),
                    }),
                    PropertyValue::Item(inner) if depth < MAX_NESTING && waiting.len() < limit => {
                        waiting.push((*inner, below, depth + 1));
                    }
                    PropertyValue::Item(_) => {}
                }
            }
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn leaves(html: &str) -> Vec<Leaf> {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0.embedded("http://a.example/")
    }

    fn json(json: &str) -> Vec<String> {
        leaves(&format!("<script type='application/ld+json; charset=utf-8'>{json}</script>"))
            .into_iter()
            .map(|leaf| format!("{} {} {}={}", leaf.item, leaf.type_name, leaf.path, leaf.value))
            .collect()
    }

    #[test]
    fn json_ld_becomes_leaves() {
        assert_eq!(
            json(
                r#"{"@context":"x","@graph":[{"@type":["http://schema.org/Book"],"name":" A  b","n":null,
                "author":[{"@type":"Person","name":"J"},{"name":"K"}],"ok":true},{"@type":"Thing","@id":"urn:t"}]}"#
            ),
            [
                "0 Book author.name=J",
                "0 Book author.name=K",
                "0 Book name=A b",
                "0 Book ok=true",
                "1 Thing @id=urn:t"
            ]
            .map(|line| line.replace("0 Book author.name=J", "0 Person author.name=J"))
            .map(|line| line.replace("0 Book author.name=K", "0  author.name=K"))
        );
        assert_eq!(json(r#"{"price":{"@value":"5","@type":"xsd:decimal"}}"#), ["0 decimal price=5"]);
    }

    #[test]
    fn common_mistakes_are_mended() {
        assert_eq!(json("<!-- {\"a\": \"x\ny\", \"b\": [1, 2, ], } -->"), ["0  a=x y", "0  b=1", "0  b=2"]);
        assert_eq!(json("//<![CDATA[\n{\"a\":\"}, ]\\\"\"};\n//]]>"), ["0  a=}, ]\""]);
        assert_eq!(json("{\"a\":1}{\"b\":2} {"), ["0  a=1", "1  b=2"]);
        assert_eq!(json("{\"a\":"), [""; 0]);
        assert_eq!(json(""), [""; 0]);
    }

    #[test]
    fn hostile_json_is_bounded() {
        assert!(json(&"[".repeat(100_000)).is_empty());
        assert!(json(&format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100))).is_empty());
        let many = format!("{{\"a\":[{}0]}}", "1,".repeat(200_000));
        assert_eq!(json(&many).len(), MAX_LEAVES);
        let long_key = format!("{{\"{}\":[1,2]}}", "k".repeat(10_000));
        assert!(json(&long_key).is_empty());
    }

    #[test]
    fn microdata_and_open_graph_are_flattened_too() {
        let leaves = leaves(
            "<meta property='og:title' content=T><meta name=viewport content=x>\
             <div itemscope itemtype=http://schema.org/Book><i itemprop=name>N</i>\
             <div itemprop=offers itemscope itemtype=http://schema.org/Offer><b itemprop=price>5</b></div></div>",
        );
        let lines: Vec<_> =
            leaves.iter().map(|l| format!("{:?} {} {}={}", l.kind, l.type_name, l.path, l.value)).collect();
        assert_eq!(
            lines,
            ["Microdata Book name=N", "Microdata Offer offers.price=5", "OpenGraph  og:title=T"]
        );
    }

    #[test]
    fn items_in_circles_come_to_an_end() {
        let html = "<div id=a itemprop=x itemscope itemref=b><i itemprop=v>1</i></div>\
                    <div id=b itemprop=y itemscope itemref=a><i itemprop=v>2</i></div><p itemscope itemref='a b'>";
        assert!(leaves(html).len() <= MAX_LEAVES);
    }
}
