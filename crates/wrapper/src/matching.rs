//! Which child of a node is which step of the template.

use rustc_hash::FxHashMap;
use unsite_dom::NodeId;
use xxhash_rust::xxh3::xxh3_64;

use crate::template::{Spec, TemplateNode};
use crate::view::View;

/// A label inside its text (`ISBN: 978...`) is at most this long: a longer run before a colon is a sentence.
pub(crate) const LONGEST_INLINE_LABEL: usize = 40;

/// Subtrees whose features overlap less than this are not the same step. Halfway between unrelated blocks
/// of one page, which share a few inline tags, and rows with half of their optional parts missing.
pub const SAME_SHAPE: f64 = 0.4;

/// A child that shares less than this with every known shape is something new and is left alone.
const LEAST_SHAPE: f64 = 0.1;

/// How many features describe a subtree.
const SHAPE_FEATURES: usize = 48;

/// How deep they look.
pub const SHAPE_DEPTH: usize = 4;

/// Lays the steps below `step` over the content children of `node`: `(child, template node)` in document
/// order. Children that no step knows are left out.
pub fn match_children(view: &View, step: &TemplateNode, node: NodeId) -> Vec<(NodeId, usize)> {
    let mut matched = Vec::new();
    each_match(view, step, WholeStep(step), node, |child, step| matched.push((child, step)));
    matched
}

/// How the steps below a step are looked up.
pub(crate) trait Steps<'a> {
    /// The specs for children of a kind, and whether one of them is wanted.
    fn of_kind(&self, signature: u64) -> (&'a [Spec], bool);

    /// Whether anybody wants to know what is matched to a step.
    fn is_wanted(&self, step: usize) -> bool;

    /// The label of a text, see [`label_in`].
    fn label_of<'t>(&self, text: &'t str) -> Option<&'t str>;
}

/// Everything below a step, as it stands there.
struct WholeStep<'a>(&'a TemplateNode);

impl<'a> Steps<'a> for WholeStep<'a> {
    fn of_kind(&self, signature: u64) -> (&'a [Spec], bool) {
        let specs = &self.0.specs;
        let start = specs.partition_point(|spec| spec.signature < signature);
        // Few specs are of one kind: counting them is faster than searching for the last.
        let count = specs[start..].iter().take_while(|spec| spec.signature == signature).count();
        (&specs[start..start + count], count > 0)
    }

    fn is_wanted(&self, _step: usize) -> bool {
        true
    }

    fn label_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        label_in(text, |text| is_label(&self.0.labels, text))
    }
}

/// Tells what [`match_children`] gives, of the steps that are wanted.
pub(crate) fn each_match<'a>(
    view: &View,
    step: &'a TemplateNode,
    steps: impl Steps<'a>,
    node: NodeId,
    mut tell: impl FnMut(NodeId, usize),
) {
    let mut introduction = Introduction::default();
    let mut seen: FxHashMap<(u64, usize), u32> = FxHashMap::default();
    for child in view.content_children(node) {
        let own = view.signatures[child.index()];
        let (specs, any_wanted) = steps.of_kind(if step.aliases.is_empty() { own } else { step.kind(own) });
        // A child that nobody wants may still be the label of the next one.
        if !any_wanted && step.labels.is_empty() {
            continue;
        }
        let label = if step.labels.is_empty() {
            None
        } else {
            let before = introduction.label;
            match introduce(view, child, &mut introduction, |text| steps.label_of(text)) {
                Introduced::Label if specs.iter().any(|spec| spec.label.is_some()) => continue,
                Introduced::Label => before,
                Introduced::By(label) => label,
            }
        };
        if !any_wanted {
            continue;
        }
        let Some(specs) = candidates(view, step, specs, child, label) else { continue };
        let found = match specs {
            [only] if only.index.is_none() => Some(only),
            _ => {
                let position = seen.entry((specs[0].signature, specs[0].node)).or_default();
                *position += 1;
                // A place of its own, or one of the rows around it.
                let at_place = specs.iter().find(|spec| spec.index == Some(*position - 1));
                at_place.or_else(|| specs.iter().find(|spec| spec.index.is_none()))
            }
        };
        if let Some(spec) = found.filter(|spec| steps.is_wanted(spec.node)) {
            tell(child, spec.node);
        }
    }
}

/// What labels say about a child.
pub enum Introduced<'v> {
    /// It is itself nothing but a label.
    Label,
    /// It begins with this label, or its value is followed by it, or this one stands before it, or none does.
    By(Option<&'v str>),
}

/// The label that stands before a child under the same parent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Introduction<'v> {
    /// The label.
    pub label: Option<&'v str>,
    /// It closed a sibling of this kind. The last words of one row say nothing about the next.
    closed: Option<u64>,
}

/// Finds the label of a child. `introduction` is the label that stands before it under the same parent, and is moved
/// on: a label alone introduces what follows, a row that has its own label and value does not.
pub fn introduce<'v>(
    view: &'v View,
    child: NodeId,
    introduction: &mut Introduction<'v>,
    label_of: impl Fn(&'v str) -> Option<&'v str>,
) -> Introduced<'v> {
    let texts = &view.texts[view.texts_in(child)];
    let kind = view.signatures[child.index()];
    let before = introduction.label.filter(|_| introduction.closed != Some(kind));
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
        return Introduced::By(before);
    };
    let own = label_of(&first.value);
    if texts.len() == 1 && own.is_some_and(|own| own.len() == first.value.len()) {
        *introduction = Introduction { label: own, closed: None };
        return Introduced::Label;
    }
    let mut by = own.or(before);
    if texts.len() > 1
        && let Some(trailing) = label_of(&last.value).filter(|label| label.len() == last.value.len())
    {
        // `12 <small>Topics</small>`: the label comes after its value.
        if own.is_none() && texts.len() == 2 && !trailing.ends_with([':', '：']) {
            by = Some(trailing);
        }
        *introduction = Introduction { label: Some(trailing), closed: Some(kind) };
    }
    Introduced::By(by)
}

/// The specs that fit a child in everything but its place: one, or one for each place.
fn candidates<'a>(
    view: &View,
    step: &TemplateNode,
    mut specs: &'a [Spec],
    child: NodeId,
    label: Option<&str>,
) -> Option<&'a [Spec]> {
    if specs.len() > 1 && specs.iter().any(|spec| spec.label.is_some()) {
        specs = label.and_then(|label| with_label(specs, Some(label))).or_else(|| with_label(specs, None))?;
    }
    if specs.len() > 1 && specs.iter().any(|spec| spec.block.is_some()) {
        let block = block_of(view, &step.blocks, specs, child);
        specs = specs.chunk_by(|a, b| a.block == b.block).find(|alike| alike[0].block == block)?;
    }
    if specs.len() > 1 && specs.iter().any(|spec| !spec.shape.is_empty()) {
        let shape = shape(view, child);
        // Those of one shape stand side by side. Ties go to the first, so that equal pages match equally.
        let mut best: Option<(f64, &[Spec])> = None;
        for alike in specs.chunk_by(|a, b| a.shape == b.shape) {
            let likeness = similarity(&alike[0].shape, &shape);
            if best.is_none_or(|(most, _)| likeness > most) {
                best = Some((likeness, alike));
            }
        }
        specs = best.filter(|(likeness, _)| *likeness >= LEAST_SHAPE)?.1;
    }
    (!specs.is_empty()).then_some(specs)
}

/// The block that a child is: the one with most of its landmarks, the first of equals.
fn block_of(view: &View, blocks: &[(String, u32)], specs: &[Spec], child: NodeId) -> Option<u32> {
    let mut votes: Vec<(u32, usize)> = Vec::new();
    for text in view.texts[view.texts_in(child)].iter().filter(|text| !text.hidden) {
        let value = inline_label(&text.value).unwrap_or(&text.value);
        let start = blocks.partition_point(|(landmark, _)| landmark.as_str() < value);
        for (_, block) in blocks[start..].iter().take_while(|(landmark, _)| landmark == value) {
            match votes.iter_mut().find(|(voted, _)| voted == block) {
                Some((_, count)) => *count += 1,
                None if specs.iter().any(|spec| spec.block == Some(*block)) => votes.push((*block, 1)),
                None => {}
            }
        }
    }
    votes.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0))).map(|(block, _)| block)
}

/// The stretch of specs with this label; they are sorted by label.
fn with_label<'a>(specs: &'a [Spec], label: Option<&str>) -> Option<&'a [Spec]> {
    let start = specs.partition_point(|spec| spec.label.as_deref() < label);
    let length = specs[start..].partition_point(|spec| spec.label.as_deref() == label);
    (length > 0).then(|| &specs[start..start + length])
}

pub(crate) fn is_label(labels: &[String], text: &str) -> bool {
    labels.binary_search_by(|label| label.as_str().cmp(text)).is_ok()
}

/// The known label of a text: all of it, or what stands before its colon, or its first words.
pub fn label_in(text: &str, known: impl Fn(&str) -> bool) -> Option<&str> {
    if known(text) {
        return Some(text);
    }
    inline_label(text)
        .filter(|label| known(label))
        .or_else(|| leading_words(text).rfind(|words| known(words)))
}

/// The most words of a label without a colon (`Focal length 50 mm`).
const LABEL_WORDS: usize = 3;

/// `Focal ` and `Focal length ` of `Focal length 50 mm`: the first words of a text, each with the space behind them, so
/// that they are not taken for a text of their own. Words with digits are values.
pub fn leading_words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut ends: [usize; LABEL_WORDS] = [0; LABEL_WORDS];
    let mut count = 0;
    for (at, c) in text.char_indices() {
        if c == ' ' {
            if count == LABEL_WORDS || at >= LONGEST_INLINE_LABEL {
                break;
            }
            ends[count] = at + 1;
            count += 1;
        } else if !c.is_alphabetic() && c != '-' {
            break;
        }
    }
    ends.into_iter().take(count).map(|end| &text[..end])
}

/// `ISBN:` of `ISBN: 978...`: what stands before the first colon, if it is short and a value follows.
pub fn inline_label(value: &str) -> Option<&str> {
    let near = &value[..value.floor_char_boundary(LONGEST_INLINE_LABEL + '：'.len_utf8())];
    // Most texts have no colon, in neither of its forms: no byte of one.
    let may_be_one = |byte: u8| (byte == b':') | (byte == 0xEF);
    if !near.bytes().fold(false, |found, byte| found | may_be_one(byte)) {
        return None;
    }
    let colon = near.find([':', '：']).filter(|&at| at > 0 && at <= LONGEST_INLINE_LABEL)?;
    let end = colon + value[colon..].chars().next().map_or(1, char::len_utf8);
    // `12:30`, `http://` and `role::program` are values, not labels. A wide colon (`颜色：红`) stands in none of these.
    let letters = value[..colon].chars().any(char::is_alphabetic);
    let is_wide = value[colon..].starts_with('：');
    let separated = is_wide || value[end..].starts_with(|c: char| !c.is_alphabetic() && c != ':' && c != '/');
    (letters && separated && !value[end..].trim_start().is_empty()).then(|| &value[..end])
}

/// What the subtree of a node looks like: sorted hashes of the paths of signatures near its top. A box (see
/// [`View::unboxed`]) is one step, known by its cell.
pub fn shape(view: &View, node: NodeId) -> Vec<u64> {
    shape_where(view, node, |_| true)
}

/// The same of those parts that are wanted, and what is inside them.
pub fn shape_where(view: &View, node: NodeId, is_wanted: impl Fn(NodeId) -> bool) -> Vec<u64> {
    shape_by(view, node, |node| view.signatures[node.index()], is_wanted)
}

/// The same by bare tags, for comparing variants of a layout that name their parts differently.
pub fn tag_shape(view: &View, node: NodeId) -> Vec<u64> {
    shape_by(view, node, |node| xxh3_64(view.tree.name(node).as_bytes()), |_| true)
}

/// The feature of a shape for a path of kinds: the feature of the path above it (0 at the top), and the last kind.
pub fn shape_feature(above: u64, kind: u64) -> u64 {
    let mut bytes = [0u8; 16];
    bytes[..8].copy_from_slice(&above.to_le_bytes());
    bytes[8..].copy_from_slice(&kind.to_le_bytes());
    xxh3_64(&bytes)
}

fn shape_by(
    view: &View,
    node: NodeId,
    kind: impl Fn(NodeId) -> u64,
    is_wanted: impl Fn(NodeId) -> bool,
) -> Vec<u64> {
    let mut features: Vec<u64> = Vec::new();
    let mut level = vec![(node, 0u64)];
    for _ in 0..SHAPE_DEPTH {
        let mut below = Vec::new();
        for (parent, path) in level {
            for child in view.content_children(view.unboxed(parent)).filter(|&child| is_wanted(child)) {
                let path = shape_feature(path, kind(view.unboxed(child)));
                if !features.contains(&path) {
                    features.push(path);
                }
                if !view.tree.is_text(child) {
                    below.push((child, path));
                }
                if features.len() >= SHAPE_FEATURES {
                    features.sort_unstable();
                    return features;
                }
            }
        }
        level = below;
    }
    features.sort_unstable();
    features
}

/// Jaccard similarity of two sorted feature lists; two empty ones are alike.
pub fn similarity(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    both as f64 / (a.len() + b.len() - both) as f64
}
