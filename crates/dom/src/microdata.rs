//! Microdata: items that the markup itself marks up.

use rustc_hash::FxHashMap;
use url::Url;

use crate::links::{Budget, resolve};
use crate::meta::one_line;
use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// Property values that are texts are cut here, in bytes.
const VALUE_LIMIT: usize = 10_000;

/// An element with `itemscope`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// The element.
    pub node: NodeId,
    /// The addresses in `itemtype`.
    pub types: Vec<String>,
    /// The `itemid`, if there is one.
    pub id: Option<String>,
    /// Its properties in document order; those brought in by `itemref` come last.
    pub properties: Vec<Property>,
    /// True when it is the value of no other item's property.
    pub top: bool,
}

/// A property of an [`Item`]. An element with several names gives several properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The element with `itemprop`.
    pub node: NodeId,
    /// One of its names.
    pub name: String,
    /// What it says.
    pub value: PropertyValue,
}

/// What a property says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyValue {
    /// Characters: an attribute or text, by the rules of the HTML standard.
    Text(String),
    /// Another item, by its place in [`Tree::microdata`].
    Item(usize),
}

impl Tree {
    /// Every microdata item in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, PropertyValue, Tree};
    /// let html = b"<div itemscope itemtype=https://schema.org/Book><meta itemprop=isbn content=1234567890></div>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let item = tree.microdata("https://shop.example/").remove(0);
    /// assert_eq!(item.properties[0].value, PropertyValue::Text("1234567890".into()));
    /// ```
    pub fn microdata(&self, page_url: &str) -> Vec<Item> {
        let (Some(itemscope), itemprop) = (self.names.find("itemscope"), self.names.find("itemprop")) else {
            return Vec::new();
        };
        let mut reader = Reader {
            tree: self,
            base: self.base_url(page_url),
            budget: Budget::of(self),
            items: Vec::new(),
            numbers: FxHashMap::default(),
            itemprop,
        };
        for node in self.nodes() {
            if self.attr_by(node, Some(itemscope)).is_some() {
                reader.numbers.insert(node, reader.items.len());
                reader.items.push(self.item(node));
            }
        }
        // The items around the current node, innermost last.
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        for node in self.nodes() {
            while open.pop_if(|(item, _)| self.end(*item) <= node).is_some() {}
            if let Some(&(_, item)) = open.last() {
                reader.add(item, node);
            }
            if let Some(&number) = reader.numbers.get(&node) {
                open.push((node, number));
            }
        }
        reader.follow_references();
        reader.items
    }

    fn item(&self, node: NodeId) -> Item {
        let types = self.attr(node, "itemtype").unwrap_or_default();
        Item {
            node,
            types: types.split_ascii_whitespace().map(str::to_owned).collect(),
            id: self.attr(node, "itemid").map(|id| id.trim().to_owned()),
            properties: Vec::new(),
            top: true,
        }
    }
}

struct Reader<'a> {
    tree: &'a Tree,
    base: Option<Url>,
    budget: Budget,
    items: Vec<Item>,
    numbers: FxHashMap<NodeId, usize>,
    itemprop: Option<u16>,
}

impl Reader<'_> {
    /// Gives `item` the properties that the element `node` names, if it names any.
    fn add(&mut self, item: usize, node: NodeId) {
        let Some(names) = self.tree.attr_by(node, self.itemprop) else { return };
        let mut names = names.split_ascii_whitespace().peekable();
        if names.peek().is_none() {
            return;
        }
        let value = match self.numbers.get(&node) {
            Some(&inner) => {
                self.items[inner].top = false;
                PropertyValue::Item(inner)
            }
            None => PropertyValue::Text(self.value(node)),
        };
        // More names than this on one element are an attack: every one of them copies the value.
        for name in names.take(16) {
            self.items[item].properties.push(Property { node, name: name.to_owned(), value: value.clone() });
        }
    }

    /// The value of a property by the element that carries it.
    fn value(&mut self, node: NodeId) -> String {
        let tree = self.tree;
        let attr = |name| tree.attr(node, name).map(|value| collapse(value).into_owned());
        let address = |name| {
            tree.attr(node, name).map(|value| {
                resolve(self.base.as_ref(), value.trim())
                    .map_or_else(|| value.trim().to_owned(), String::from)
            })
        };
        let own = match tree.name(node) {
            "meta" => Some(attr("content").unwrap_or_default()),
            "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => {
                Some(address("src").unwrap_or_default())
            }
            "a" | "area" | "link" => Some(address("href").unwrap_or_default()),
            "object" => Some(address("data").unwrap_or_default()),
            "data" | "meter" => Some(attr("value").unwrap_or_default()),
            "time" => attr("datetime"),
            // Beyond the standard, but common and always meant: a machine-readable value beside the text.
            _ => attr("content"),
        };
        own.unwrap_or_else(|| one_line(self.budget.text(tree, node, VALUE_LIMIT)))
    }

    /// Adds the properties of elements that `itemref` names, once all items are known.
    fn follow_references(&mut self) {
        let tree = self.tree;
        let Some(itemref) = tree.names.find("itemref") else { return };
        let mut by_id: FxHashMap<&str, NodeId> = FxHashMap::default();
        let id = tree.names.find("id");
        for node in tree.nodes() {
            if let Some(id) = tree.attr_by(node, id) {
                by_id.entry(id).or_insert(node);
            }
        }
        for item in 0..self.items.len() {
            let node = self.items[item].node;
            let Some(references) = tree.attr_by(node, Some(itemref)) else { continue };
            let mut seen: Vec<NodeId> = Vec::new();
            for id in references.split_ascii_whitespace().take(64) {
                let Some(&target) = by_id.get(id) else { continue };
                // An item inside what it refers to would hold itself.
                let holds_itself = target <= node && node < tree.end(target);
                if seen.contains(&target) || holds_itself {
                    continue;
                }
                seen.push(target);
                self.add(item, target);
                if self.numbers.contains_key(&target) {
                    continue;
                }
                let mut skip_until = target;
                for below in self.budget.nodes(tree, target) {
                    if below < skip_until {
                        continue;
                    }
                    self.add(item, below);
                    if self.numbers.contains_key(&below) {
                        skip_until = tree.end(below);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn items(html: &str) -> Vec<Item> {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0.microdata("http://a.example/d/p")
    }

    fn values(item: &Item) -> Vec<(&str, String)> {
        let value = |value: &PropertyValue| match value {
            PropertyValue::Text(text) => text.clone(),
            PropertyValue::Item(number) => format!("#{number}"),
        };
        item.properties.iter().map(|p| (p.name.as_str(), value(&p.value))).collect()
    }

    #[test]
    fn values_follow_the_element() {
        let items = items(
            "<div itemscope itemtype='A B' itemid=urn:x><b itemprop='name title'>N <i>m</i></b>\
             <img itemprop=image src=i.png><a itemprop=url href=../u>t</a><meta itemprop=m content=c>\
             <time itemprop=d datetime=2011-05-01>May</time><time itemprop=e>June</time>\
             <data itemprop=v value=3>three</data><span itemprop=p content=12.5>12,50</span></div>",
        );
        assert_eq!(items[0].types, ["A", "B"]);
        assert_eq!(items[0].id.as_deref(), Some("urn:x"));
        let expected = [
            ("name", "N m"),
            ("title", "N m"),
            ("image", "http://a.example/d/i.png"),
            ("url", "http://a.example/u"),
            ("m", "c"),
            ("d", "2011-05-01"),
            ("e", "June"),
            ("v", "3"),
            ("p", "12.5"),
        ];
        assert_eq!(values(&items[0]), expected.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn items_hold_items_and_references() {
        let items = items(
            "<div itemscope itemref='x missing x'><p itemprop=offer itemscope><b itemprop=price>5</b></p></div>\
             <p itemprop=orphan>o</p><p id=x>in <b itemprop=far>away</b></p>",
        );
        assert_eq!(items.len(), 2);
        assert_eq!(values(&items[0]), [("offer", "#1".to_owned()), ("far", "away".to_owned())]);
        assert_eq!(values(&items[1]), [("price", "5".to_owned())]);
        assert_eq!((items[0].top, items[1].top), (true, false));
    }

    #[test]
    fn references_to_oneself_and_nesting_are_bounded() {
        let own =
            items("<div id=a itemscope itemref='a b'></div><div id=b itemprop=x itemscope itemref=a></div>");
        assert_eq!(own.len(), 2);
        let deep = format!("<div itemscope>{}{}", "<i itemprop=x>".repeat(300), "y".repeat(100_000));
        let size = |p: &Property| if let PropertyValue::Text(text) = &p.value { text.len() } else { 0 };
        let all: usize = items(&deep)[0].properties.iter().map(size).sum();
        assert!(all >= VALUE_LIMIT && all <= 5 * deep.len(), "{all}");
    }
}
