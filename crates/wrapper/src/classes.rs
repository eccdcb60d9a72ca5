//! Which parts of `class` and `id` belong to the template, and which were written by the data.
//!
//! `post-123 category-news odd` says `post-#`, one of a family of categories, and nothing.

use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use unsite_dom::{AttrName, NodeId, Tree};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::kinds::{Kind, Kinds, names_key};

/// The class and id names that a page type's template uses. Everything else on an element is noise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassMap {
    /// Names that are kept as they are (digits folded); an id starts with `#`.
    known: Names,
    /// Beginnings of names of which the rest is data: `category-`.
    families: Names,
    #[serde(skip)]
    memo: Memo,
}

/// Signatures that earlier pages asked for: one set for each of the threads that ask at the same time. They follow from
/// the names, which never change.
#[derive(Debug, Default)]
struct Memo(Mutex<Vec<Signatures>>);

/// By the signature of the bare tag, and a hash of class and id.
type Signatures = FxHashMap<(u64, u64), u64>;

/// Signatures that one set remembers. Ids that stand on one page alone fill it up; then it is begun anew.
const MOST_SIGNATURES: usize = 1 << 15;

impl Memo {
    fn take(&self) -> Signatures {
        self.0.lock().ok().and_then(|mut sets| sets.pop()).unwrap_or_default()
    }

    fn give_back(&self, set: Signatures) {
        if set.len() < MOST_SIGNATURES
            && let Ok(mut sets) = self.0.lock()
        {
            sets.push(set);
        }
    }
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A set of names, looked up for every element of every page; written as a sorted list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Names(FxHashSet<String>);

impl Names {
    /// The name as it is kept here.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Adds a name.
    pub fn insert(&mut self, name: String) {
        self.0.insert(name);
    }
}

impl From<Vec<String>> for Names {
    fn from(names: Vec<String>) -> Self {
        Names(names.into_iter().collect())
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        let mut names: Vec<String> = names.0.into_iter().collect();
        names.sort_unstable();
        names
    }
}

/// State and zebra names that frameworks put on otherwise equal siblings.
const STATES: [&str; 16] = [
    "odd", "even", "first", "last", "alt", "active", "current", "selected", "hover", "on", "row1", "row2",
    "bg1", "bg2", "clearfix", "clear",
];

impl ClassMap {
    /// A map of names that are kept, and of families of which the beginning is.
    pub fn new(known: Names, families: Names) -> Self {
        ClassMap { known, families, memo: Memo::default() }
    }

    /// The names that are kept and the families, sorted.
    pub fn written(&self) -> [Vec<String>; 2] {
        [self.known.clone().into(), self.families.clone().into()]
    }

    /// The same without some of the names.
    pub fn without<'n>(mut self, names: impl IntoIterator<Item = &'n String>) -> Self {
        for name in names {
            self.known.0.remove(name);
        }
        ClassMap::new(self.known, self.families)
    }

    /// The same with the names and families of another that `is_new` lets pass.
    pub fn with(&self, other: &ClassMap, is_new: impl Fn(&str) -> bool) -> Self {
        let joined = |own: &Names, other: &Names| {
            let new = other.0.iter().filter(|name| is_new(name));
            Names(own.0.iter().chain(new).cloned().collect())
        };
        ClassMap::new(joined(&self.known, &other.known), joined(&self.families, &other.families))
    }

    /// The names of an element as the template sees them, sorted.
    pub fn names(&self, tree: &Tree, node: NodeId) -> Vec<String> {
        let (names, ending) = self.kept(tree, node);
        names.into_iter().map(|name| format!("{name}{ending}")).collect()
    }

    /// An element as a step of a path: `div.main`, `section#top`.
    pub(crate) fn step_name(&self, tree: &Tree, node: NodeId) -> String {
        step_name(tree.name(node), &self.names(tree, node))
    }

    /// The names of an element that are kept, sorted, and what stands for the rest of each.
    fn kept(&self, tree: &Tree, node: NodeId) -> (Vec<&str>, &'static str) {
        self.kept_of(tree.attr(node, "class"), tree.attr(node, "id"))
    }

    fn kept_of(&self, class: Option<&str>, id: Option<&str>) -> (Vec<&str>, &'static str) {
        let mut names: Vec<&str> = Vec::new();
        each_raw_name(class, id, |name| names.extend(self.known.get(name)));
        let ending = if names.is_empty() { "*" } else { "" };
        if names.is_empty() {
            // A family says little, but more than nothing.
            each_raw_name(class, id, |name| {
                names.extend(family(name).and_then(|family| self.families.get(family)));
            });
        }
        names.sort_unstable();
        names.dedup();
        (names, ending)
    }

    /// Gives the signatures of one page's elements, each combination of tag, class and id worked out once.
    pub fn signer<'t>(&'t self, tree: &'t Tree) -> Signer<'t> {
        let (class, id) = (tree.attr_name("class"), tree.attr_name("id"));
        Signer { classes: self, tree, class, id, known: self.memo.take(), plain: Vec::new() }
    }

    /// The signature of each kind of elements on a page; that of texts and the document is `nameless`.
    pub(crate) fn signatures(&self, tree: &Tree, kinds: &Kinds, nameless: u64) -> Vec<u64> {
        let mut known = self.memo.take();
        let signature = |kind: &Kind| match kind.names {
            None => kind.tag,
            Some(names) => {
                *known.entry((kind.tag, names)).or_insert_with(|| self.signature(tree, kind.first))
            }
        };
        let of_elements = kinds.all()[1..].iter().map(signature);
        let signatures = std::iter::once(nameless).chain(of_elements).collect();
        self.memo.give_back(known);
        signatures
    }

    /// A number that is equal for elements with the same tag and the same template names.
    pub fn signature(&self, tree: &Tree, node: NodeId) -> u64 {
        self.signature_of(tree.name(node), tree.attr(node, "class"), tree.attr(node, "id"))
    }

    /// The names that the template sees in a class and an id, sorted.
    pub(crate) fn names_of(&self, class: Option<&str>, id: Option<&str>) -> Vec<String> {
        let (names, ending) = self.kept_of(class, id);
        names.into_iter().map(|name| format!("{name}{ending}")).collect()
    }

    /// The signature of an element with this tag, class and id.
    pub(crate) fn signature_of(&self, tag: &str, class: Option<&str>, id: Option<&str>) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(tag.as_bytes());
        let (names, ending) = self.kept_of(class, id);
        for name in names {
            hash.update(&[0]);
            hash.update(name.as_bytes());
            hash.update(ending.as_bytes());
        }
        hash.digest()
    }
}

/// A tag and names as a step of a path.
pub(crate) fn step_name(tag: &str, names: &[String]) -> String {
    let mut step = tag.to_owned();
    for name in names {
        if !name.starts_with('#') {
            step.push('.');
        }
        step += name;
    }
    step
}

/// Signatures of one page's elements. Pages use few combinations of tag, class and id, many times each.
pub struct Signer<'t> {
    classes: &'t ClassMap,
    tree: &'t Tree,
    class: AttrName,
    id: AttrName,
    known: Signatures,
    /// By tag, for elements without class and id; 0 where it is not yet known.
    plain: Vec<u64>,
}

impl Signer<'_> {
    /// What [`ClassMap::signature`] gives.
    pub fn signature(&mut self, node: NodeId) -> u64 {
        let (class, id) = (self.tree.attr_named(node, self.class), self.tree.attr_named(node, self.id));
        let tag = self.plain(node);
        if class.is_none() && id.is_none() {
            return tag;
        }
        *self
            .known
            .entry((tag, names_key(class, id)))
            .or_insert_with(|| self.classes.signature(self.tree, node))
    }

    /// The signature of the tag alone.
    fn plain(&mut self, node: NodeId) -> u64 {
        let at = usize::from(self.tree.name_id(node));
        if at >= self.plain.len() {
            self.plain.resize(at + 1, 0);
        }
        if self.plain[at] == 0 {
            self.plain[at] = xxh3_64(self.tree.name(node).as_bytes());
        }
        self.plain[at]
    }
}

impl Drop for Signer<'_> {
    fn drop(&mut self) {
        self.classes.memo.give_back(std::mem::take(&mut self.known));
    }
}

/// The names on an element before it is known which of them matter: digits folded to `#`, states left out.
pub fn raw_names(tree: &Tree, node: NodeId) -> impl Iterator<Item = String> + use<> {
    raw_names_of(tree.attr(node, "class"), tree.attr(node, "id"))
}

/// The same from the values of `class` and `id`.
pub fn raw_names_of(class: Option<&str>, id: Option<&str>) -> impl Iterator<Item = String> + use<> {
    let mut names = Vec::new();
    each_raw_name(class, id, |name| names.push(name.to_owned()));
    names.into_iter()
}

/// Names on one element that are looked at.
const MAX_NAMES: usize = 32;

/// Hands over the names one by one, without a string of its own for each.
fn each_raw_name(class: Option<&str>, id: Option<&str>, mut each: impl FnMut(&str)) {
    let mut folded = String::new();
    let classes = class.unwrap_or_default().split_ascii_whitespace().take(MAX_NAMES);
    for name in classes.filter(|name| !STATES.contains(name)) {
        if name.bytes().any(|byte| byte.is_ascii_digit()) {
            folded.clear();
            fold_into(name, &mut folded);
            each(&folded);
        } else {
            each(name);
        }
    }
    if let Some(id) = id.map(str::trim).filter(|id| !id.is_empty()) {
        folded.clear();
        folded.push('#');
        fold_into(id, &mut folded);
        each(&folded);
    }
}

/// What a name shares with its family: up to and including the first hyphen or underscore.
pub fn family(name: &str) -> Option<&str> {
    let at = name.find(['-', '_'])?;
    (at > 0).then(|| &name[..=at])
}

pub(crate) fn fold_digits(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    fold_into(name, &mut folded);
    folded
}

fn fold_into(name: &str, folded: &mut String) {
    let mut in_digits = false;
    for c in name.chars() {
        let digit = c.is_ascii_digit();
        match (digit, in_digits) {
            (true, false) => folded.push('#'),
            (true, true) => {}
            (false, _) => folded.push(c),
        }
        in_digits = digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn data_in_class_names_does_not_change_a_signature() {
        let html = b"<p class='post-12 category-web odd' id=c7>a<p class='category-art post-9 even' id=c8>b";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let map = ClassMap::new(
            vec!["post-#".to_owned(), "#c#".to_owned()].into(),
            vec!["category-".to_owned()].into(),
        );
        let ps: Vec<NodeId> = tree.elements("p").collect();
        assert_eq!(map.names(&tree, ps[0]), ["#c#", "post-#"]);
        let only_families = ClassMap::new(Names::default(), map.families.clone());
        assert_eq!(only_families.names(&tree, ps[0]), ["category-*"]);
        assert_eq!(map.signature(&tree, ps[0]), map.signature(&tree, ps[1]));
        assert_ne!(ClassMap::default().signature(&tree, ps[0]), map.signature(&tree, ps[1]));
        for _ in 0..2 {
            let mut signer = map.signer(&tree);
            assert_eq!(signer.signature(ps[0]), map.signature(&tree, ps[0]));
        }
        let bare = map.clone().without(&["post-#".to_owned()]);
        assert_eq!(bare.signer(&tree).signature(ps[0]), bare.signature(&tree, ps[0]));
        assert_ne!(bare.signature(&tree, ps[0]), map.signature(&tree, ps[0]));
    }
}
