//! Bytes in, one immutable tree out, and everything that can be read off a single page.
//!
//! Nothing here does I/O, fails, or recurses on depth: broken input is data.
//!
//! ```
//! use unsite_dom::{Limits, Tree};
//! let (tree, cuts) = Tree::parse(b"<h1 class=title>Larkspur</h1>", None, &Limits::default());
//! assert!(cuts.is_empty());
//! let heading = tree.elements("h1").next().unwrap();
//! assert_eq!(tree.attr(heading, "class"), Some("title"));
//! ```

mod attributes;
mod builder;
mod bytes;
mod cut;
mod embedded;
mod encoding;
mod forms;
mod hashed;
mod html;
mod intern;
mod language;
mod layout;
mod links;
mod marks;
mod meta;
mod microdata;
mod moment;
mod names;
mod page;
mod parse;
mod paths;
mod quick_links;
mod shell;
mod skeleton;
mod tables;
mod terms;
mod text;
mod tree;
mod two_attributes;
mod words;
mod xml;

pub use embedded::{EmbeddedKind, Leaf};
pub use encoding::decode;
pub use forms::{Choice, Field, FieldKind, Form, Method};
pub use hashed::HashedWord;
pub use intern::{HashInterner, Interner};
pub use language::Language;
pub use layout::{Layout, PlacedText, TextBox};
pub use links::Link;
pub use marks::is_mark;
pub use meta::{Heading, Meta};
pub use microdata::{Item, Property, PropertyValue};
pub use moment::Moment;
pub use page::{Limits, PageSource, Problem, ProblemKind, RawPage};
pub use parse::Cut;
pub use paths::{IndexedPaths, PathStyle};
pub use quick_links::{Base, QuickLink, same_site};
pub use skeleton::SkeletonTag;
pub use tables::{Cell, List, ListItem, ListKind, Table};
pub use terms::Terms;
pub use text::{Text, collapse, count_bytes};
pub use tree::{AttrName, ByName, NodeId, Tree};
pub use two_attributes::TwoAttrNames;
pub use url::Url;

impl Tree {
    /// Decodes and parses a page. `declared` is the charset that the transport named.
    pub fn parse(bytes: &[u8], declared: Option<&str>, limits: &Limits) -> (Tree, Vec<Cut>) {
        let parse = |html: &str| match html::parse(html, limits) {
            Some(tree) => (tree, Vec::new()),
            None => parse::parse(html, limits),
        };
        Self::decode_and_parse(bytes, declared, limits, parse)
    }

    /// The same tree by html5ever alone, which knows every rule and takes several times as long: what [`Tree::parse`] is
    /// tested against, and the baseline that speed is measured from.
    pub fn parse_with_html5ever(bytes: &[u8], declared: Option<&str>, limits: &Limits) -> (Tree, Vec<Cut>) {
        Self::decode_and_parse(bytes, declared, limits, |html| parse::parse(html, limits))
    }

    fn decode_and_parse(
        bytes: &[u8],
        declared: Option<&str>,
        limits: &Limits,
        parse: impl Fn(&str) -> (Tree, Vec<Cut>),
    ) -> (Tree, Vec<Cut>) {
        let kept = &bytes[..bytes.len().min(limits.page_bytes)];
        let (html, _) = decode(kept, declared);
        let (tree, mut cuts) = parse(&html);
        if kept.len() < bytes.len() {
            cuts.push(Cut::Bytes);
        }
        (tree, cuts)
    }
}
