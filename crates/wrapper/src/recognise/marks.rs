//! What marks a page: everything about it that a program may have written for its type.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use unsite_dom::{NodeId, Tree, Url};
use xxhash_rust::xxh3::xxh3_64;

use crate::classes::{ClassMap, fold_digits, raw_names};
use crate::kinds::Kinds;

/// Where a mark stands. Families are independent witnesses: what a template writes into the address does not follow
/// from what it writes into the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Host, steps of the path, ending, names of parameters.
    Address,
    /// Names on `html` and `body`, and what the page declares itself to be.
    Frame,
    /// Paths of elements with the site's class names.
    Paths,
    /// Words at the ends of the title and at the beginning of the first heading.
    Words,
}

impl Family {
    /// All of them, in the order of their evidence.
    pub const ALL: [Family; 4] = [Family::Address, Family::Frame, Family::Paths, Family::Words];

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Family::Address => "address",
            Family::Frame => "frame",
            Family::Paths => "paths",
            Family::Words => "words",
        }
    }
}

/// The marks of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageMarks {
    /// Those that are no paths: distinct, sorted.
    pub marks: Vec<(Family, u64)>,
    /// Hashes of the paths of all elements: distinct, sorted.
    pub paths: Vec<u64>,
    /// The site that the address names, `www.` aside; `None` without one.
    pub host: Option<u64>,
}

/// Steps of an address that are looked at.
const MAX_STEPS: usize = 12;

/// What they are called, and the words that they begin with.
const STEPS: [(&str, &str); MAX_STEPS] = [
    ("step 1", "step 1 begins"),
    ("step 2", "step 2 begins"),
    ("step 3", "step 3 begins"),
    ("step 4", "step 4 begins"),
    ("step 5", "step 5 begins"),
    ("step 6", "step 6 begins"),
    ("step 7", "step 7 begins"),
    ("step 8", "step 8 begins"),
    ("step 9", "step 9 begins"),
    ("step 10", "step 10 begins"),
    ("step 11", "step 11 begins"),
    ("step 12", "step 12 begins"),
];

/// The same of the last one.
const LAST_STEP: (&str, &str) = ("last step", "last step begins");

/// Words that lead to a further page of the same list: what they say is data.
const PAGERS: [&str; 8] = ["page", "paged", "p", "pg", "start", "offset", "seite", "pagina"];

impl PageMarks {
    /// Reads the marks of a page. One pass over its nodes.
    pub fn of(tree: &Tree, url: &str, classes: &ClassMap) -> Self {
        let (marks, host) = other_marks(tree, url);
        let kinds = Kinds::of(tree);
        let hashes = path_hashes(tree, classes, &kinds);
        let elements = hashes.into_iter().zip(kinds.by_node()).filter(|(_, kind)| **kind != 0);
        let mut paths: Vec<u64> = elements.map(|(hash, _)| hash).collect();
        paths.sort_unstable();
        paths.dedup();
        PageMarks { marks, paths, host }
    }

    /// All marks.
    pub fn all(&self) -> impl Iterator<Item = (Family, u64)> + '_ {
        self.marks.iter().copied().chain(self.paths.iter().map(|&path| (Family::Paths, path)))
    }

    /// Whether the page has a mark.
    pub fn has(&self, family: Family, hash: u64) -> bool {
        match family {
            Family::Paths => self.paths.binary_search(&hash).is_ok(),
            _ => self.marks.binary_search(&(family, hash)).is_ok(),
        }
    }
}

/// The marks of a page that are no paths, and the site that its address names; see [`PageMarks`].
pub(super) fn other_marks(tree: &Tree, url: &str) -> (Vec<(Family, u64)>, Option<u64>) {
    let mut marks = Vec::with_capacity(ORDINARY_MARKS);
    let host = address(url, &mut |_, hash| marks.push((Family::Address, hash)));
    frame(tree, &mut |_, hash| marks.push((Family::Frame, hash)));
    words(tree, &mut |_, hash| marks.push((Family::Words, hash)));
    marks.sort_unstable();
    marks.dedup();
    (marks, host)
}

/// Marks of an ordinary page that are no paths: room that is made at once.
const ORDINARY_MARKS: usize = 32;

/// What some marks of a page are called, for people: `step 1 tag`, `body.single`, `body/div.main/h1`.
pub fn mark_names(
    tree: &Tree,
    url: &str,
    classes: &ClassMap,
    wanted: &FxHashMap<(Family, u64), usize>,
) -> Vec<((Family, u64), String)> {
    let mut named = Vec::new();
    let mut note = |family: Family, hash: u64, name: String| {
        if wanted.contains_key(&(family, hash)) {
            named.push(((family, hash), name));
        }
    };
    address(url, &mut |name, hash| note(Family::Address, hash, name()));
    frame(tree, &mut |name, hash| note(Family::Frame, hash, name()));
    words(tree, &mut |name, hash| note(Family::Words, hash, name()));
    let paths = path_hashes(tree, classes, &Kinds::of(tree));
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if wanted.contains_key(&(Family::Paths, paths[node.index()])) {
            note(Family::Paths, paths[node.index()], path_name(tree, node, classes));
        }
    }
    named
}

/// Told of each mark: what it is called, which is only spelt out when asked for, and its hash.
type Told<'a> = &'a mut dyn FnMut(&dyn Fn() -> String, u64);

/// Bytes of a mark that is written without room of its own.
const SHORT_MARK: usize = 128;

fn mark(told: Told<'_>, slot: &str, value: &str) {
    let length = slot.len() + value.len() + 1;
    let mut short = [0; SHORT_MARK];
    let mut long = Vec::new();
    let bytes = match short.get_mut(..length) {
        Some(bytes) => bytes,
        None => {
            long.resize(length, 0);
            &mut long[..]
        }
    };
    bytes[..slot.len()].copy_from_slice(slot.as_bytes());
    bytes[slot.len() + 1..].copy_from_slice(value.as_bytes());
    told(&|| format!("{slot} {value}"), xxh3_64(bytes));
}

fn address(url: &str, told: Told<'_>) -> Option<u64> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host));
    if let Some(host) = host {
        mark(told, "host", host);
    }
    let mut steps: Vec<&str> = url.path().split('/').filter(|step| !step.is_empty()).collect();
    if let [.., word, number] = steps.as_slice()
        && PAGERS.contains(word)
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        steps.truncate(steps.len() - 2);
    }
    let depth = steps.len().min(MAX_STEPS);
    mark(told, "depth", &depth.to_string());
    for (at, step) in steps.iter().take(MAX_STEPS).enumerate() {
        let (stem, ending) = match step.rsplit_once('.') {
            Some((stem, ending)) if at + 1 == depth && is_ending(ending) => (stem, ending),
            _ => (*step, ""),
        };
        // `struct.Vec.html` and `question-12` begin with a word of the route.
        let first = stem.split(['.', '-', '_']).find(|piece| !piece.is_empty()).unwrap_or(stem);
        let (slot, begins) = if at + 1 == depth { LAST_STEP } else { STEPS[at] };
        mark(told, slot, &fold_digits(stem));
        if first.len() < stem.len() {
            mark(told, begins, &fold_digits(first));
        }
        if !ending.is_empty() {
            mark(told, "ending", ending);
        }
    }
    if url.path().len() > 1 {
        mark(told, "last slash", if url.path().ends_with('/') { "yes" } else { "no" });
    }
    let mut names: Vec<String> =
        url.query_pairs().take(MAX_STEPS).map(|(name, _)| fold_digits(&name)).collect();
    names.retain(|name| !PAGERS.contains(&name.as_str()));
    names.sort_unstable();
    names.dedup();
    for name in &names {
        mark(told, "parameter", name);
    }
    if names.is_empty() {
        mark(told, "parameter", "none");
    }
    host.map(|host| xxh3_64(host.as_bytes()))
}

fn is_ending(ending: &str) -> bool {
    (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn frame(tree: &Tree, told: Told<'_>) {
    let tops = [tree.elements("html").next(), tree.elements("body").next()];
    for node in tops.into_iter().flatten() {
        for name in raw_names(tree, node) {
            mark(told, tree.name(node), &name);
        }
    }
    for meta in tree.elements("meta") {
        let property = tree.attr(meta, "property").or_else(|| tree.attr(meta, "name")).unwrap_or_default();
        if ["og:type", "generator"].iter().any(|known| property.eq_ignore_ascii_case(known)) {
            mark(told, property, tree.attr(meta, "content").unwrap_or_default().trim());
        }
    }
}

fn words(tree: &Tree, told: Told<'_>) {
    let first_text = |name: &str| -> Option<String> {
        let node = tree.elements(name).next()?;
        let text = tree.descendants(node).filter(|&node| tree.is_text(node)).map(|node| tree.text(node));
        Some(text.take(3).collect::<Vec<_>>().join(" "))
    };
    for (name, begins, ends) in [("title", "title begins", Some("title ends")), ("h1", "h1 begins", None)] {
        let Some(text) = first_text(name) else { continue };
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || "\"“”‘’'|·–—:".contains(c))
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .take(64)
            .collect();
        for length in 1..=2.min(words.len()) {
            mark(told, begins, &words[..length].join(" "));
            if let Some(ends) = ends {
                mark(told, ends, &words[words.len() - length..].join(" "));
            }
        }
    }
}

/// The hash of each node's path. The names of `html` and `body` are a family of their own and would stand in every path.
pub(super) fn path_hashes(tree: &Tree, classes: &ClassMap, kinds: &Kinds) -> Vec<u64> {
    let mut steps = classes.signatures(tree, kinds, 1);
    for (step, kind) in steps.iter_mut().zip(kinds.all()) {
        *step = match tree.name(kind.first) {
            "html" => 2,
            "body" => 3,
            _ => *step,
        };
    }
    tree.fold_paths(|node| steps[kinds.by_node()[node.index()] as usize])
}

fn path_name(tree: &Tree, node: NodeId, classes: &ClassMap) -> String {
    let step = |node: NodeId| match tree.name(node) {
        frame @ ("html" | "body") => frame.to_owned(),
        _ => classes.step_name(tree, node),
    };
    let mut steps: Vec<String> =
        tree.ancestors(node).filter(|&above| tree.is_element(above)).map(step).collect();
    steps.reverse();
    steps.push(step(node));
    steps.join("/")
}
