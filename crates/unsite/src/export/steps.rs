//! One step of a template as pieces of a path.

use unsite_wrapper::{Kind, Spec, TEXT_SIGNATURE, Template, TemplateNode};
use xxhash_rust::xxh3::xxh3_64;

use super::Target;
use super::names::{Dialect, css_test, literal, node_test};

/// How many features that tell a block apart are written out.
const FEATURES_SHOWN: usize = 3;

/// How deep features of a block look; as deep as matching does.
const FEATURE_DEPTH: usize = 4;

/// An element with a text or a picture: others are not there for matching.
const CONTENT: &str = "[normalize-space() or descendant-or-self::img]";

/// A part of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// A step down to elements of these kinds and not of those; `css` where CSS can say the same.
    Elements { parsel: String, plain: String, css: Option<String> },
    /// A step down to texts.
    Texts,
    /// A condition as it stands; `css` says that CSS may leave it out.
    Condition { parsel: String, plain: String },
    /// Introduced by this label of those; `own` is the element's own kind, nothing for texts.
    Labelled { label: String, labels: Vec<String>, own: OwnKind },
    /// Introduced by none of the others, of those.
    Unlabelled { others: Vec<String>, labels: Vec<String>, own: OwnKind },
    /// More than one of the labels alone.
    NoLabel { labels: Vec<String> },
}

/// A kind of element as a test that a path can make; empty for texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OwnKind {
    parsel: String,
    plain: String,
}

impl OwnKind {
    fn new(kind: Option<&Kind>) -> Self {
        let test = |dialect| kind.map(|kind| node_test(&[kind], &[], dialect)).unwrap_or_default();
        OwnKind { parsel: test(Dialect::Parsel), plain: test(Dialect::Plain) }
    }

    pub(super) fn of(&self, target: Target) -> &str {
        if target == Target::XPath { &self.plain } else { &self.parsel }
    }
}

/// The pieces that lead from a step to one below it; why not, where that cannot be said.
pub(super) fn step_down(
    template: &Template,
    above: &TemplateNode,
    spec: &Spec,
    must_have_content: bool,
) -> Result<Vec<Piece>, String> {
    let mut pieces = vec![node_pieces(template, above, spec)?];
    let of_kind: Vec<&Spec> = above.specs.iter().filter(|other| other.signature == spec.signature).collect();
    let mut alike = of_kind.clone();
    if of_kind.iter().any(|other| other.label.is_some()) {
        pieces.push(label_piece(template, above, spec, &of_kind));
        if of_kind.len() > 1 {
            alike.retain(|other| other.label == spec.label);
        }
    }
    if alike.iter().any(|other| other.shape != spec.shape) {
        // Blocks that nothing is read from need not be told apart, but are where that can be said: their texts may stand
        // where ours do.
        let telling = |other: &&&Spec| other.shape == spec.shape || speaks(template, other.node);
        let telling: Vec<&Spec> = alike.iter().filter(telling).copied().collect();
        match shape_piece(template, spec, &alike) {
            Ok(piece) => pieces.push(piece),
            Err(_) if telling.iter().all(|other| other.shape == spec.shape) => {}
            Err(_) => pieces.push(shape_piece(template, spec, &telling)?),
        }
        alike.retain(|other| other.shape == spec.shape);
    }
    let is_text = spec.signature == TEXT_SIGNATURE;
    let taken: Vec<u32> = alike.iter().filter_map(|other| other.index).collect();
    let anywhere = alike.iter().filter(|other| other.index.is_none()).count();
    if (must_have_content || !taken.is_empty()) && !is_text {
        pieces.push(Piece::Condition { parsel: CONTENT.into(), plain: CONTENT.into() });
    }
    let place = |index: u32| u64::from(index) + 1;
    let at = match spec.index {
        Some(index) => format!("[{}]", place(index)),
        None if anywhere > 1 => {
            return Err("several steps of the template are alike in all that can be said".into());
        }
        // Around those that have a place of their own.
        None if taken.is_empty() => String::new(),
        None => {
            let others: Vec<String> =
                taken.iter().map(|&index| format!("position() != {}", place(index))).collect();
            format!("[{}]", others.join(" and "))
        }
    };
    if !at.is_empty() {
        pieces.push(Piece::Condition { parsel: at.clone(), plain: at });
    }
    Ok(pieces)
}

/// Whether anything is read at a step or below it.
fn speaks(template: &Template, step: usize) -> bool {
    let mut open = vec![step];
    while let Some(step) = open.pop() {
        let Some(node) = template.nodes.get(step) else { continue };
        if !node.reads.is_empty() || node.rows_of.is_some() {
            return true;
        }
        // Steps that lead back up are looked at anyway.
        open.extend(node.specs.iter().map(|spec| spec.node).filter(|&below| below > step));
    }
    false
}

fn node_pieces(template: &Template, above: &TemplateNode, spec: &Spec) -> Result<Piece, String> {
    if spec.signature == TEXT_SIGNATURE {
        return Ok(Piece::Texts);
    }
    let mut own: Vec<&Kind> = Vec::new();
    let mut others: Vec<&Kind> = Vec::new();
    let signatures = above.specs.iter().map(|other| other.signature);
    let mut all: Vec<u64> = signatures.chain(above.aliases.iter().map(|alias| alias.0)).collect();
    all.sort_unstable();
    all.dedup();
    for signature in all.into_iter().filter(|signature| *signature != TEXT_SIGNATURE) {
        let kind = kind(template, signature);
        match (above.kind(signature) == spec.signature, kind) {
            (true, Some(kind)) => own.push(kind),
            (true, None) => {
                return Err(
                    "the wrapper does not say what some of its elements are called; learn it anew".into()
                );
            }
            (false, kind) => others.extend(kind),
        }
    }
    if own.is_empty() {
        return Err("the wrapper does not say what its elements are called; learn it anew".into());
    }
    let css = match own.as_slice() {
        [only] => css_test(only, &others),
        _ => None,
    };
    let is_lone =
        others.iter().all(|other| other.tag != own[0].tag) && matches!(own[0].tag.as_str(), "html" | "body");
    if is_lone && own.len() == 1 {
        let tag = own[0].tag.clone();
        return Ok(Piece::Elements { parsel: tag.clone(), plain: tag.clone(), css: Some(tag) });
    }
    let test = |dialect| node_test(&own, &others, dialect);
    Ok(Piece::Elements { parsel: test(Dialect::Parsel), plain: test(Dialect::Plain), css })
}

fn kind(template: &Template, signature: u64) -> Option<&Kind> {
    let at = template.kinds.binary_search_by_key(&signature, |kind| kind.signature).ok()?;
    template.kinds.get(at)
}

fn label_piece(template: &Template, above: &TemplateNode, spec: &Spec, of_kind: &[&Spec]) -> Piece {
    let labels = above.labels.clone();
    let own = OwnKind::new(kind(template, spec.signature));
    match &spec.label {
        _ if of_kind.len() == 1 => Piece::NoLabel { labels },
        Some(label) => Piece::Labelled { label: label.clone(), labels, own },
        None => {
            let mut others: Vec<String> = of_kind.iter().filter_map(|other| other.label.clone()).collect();
            others.dedup();
            Piece::Unlabelled { others, labels, own }
        }
    }
}

/// What stands in this block and not in those it could be taken for, or the other way round.
fn shape_piece(template: &Template, spec: &Spec, alike: &[&Spec]) -> Result<Piece, String> {
    let mut shapes: Vec<&[u64]> = alike.iter().map(|other| other.shape.as_slice()).collect();
    shapes.dedup();
    let others: Vec<&[u64]> = shapes.iter().copied().filter(|shape| *shape != spec.shape).collect();
    let condition = |dialect: Dialect| -> Option<String> {
        let mine = feature_paths(template, &spec.shape, dialect);
        let theirs: Vec<Vec<FeaturePath>> =
            others.iter().map(|other| feature_paths(template, other, dialect)).collect();
        let present: Vec<&str> = mine
            .iter()
            .filter(|path| theirs.iter().all(|theirs| path.tells_from(theirs)))
            .map(|path| path.written.as_str())
            .take(FEATURES_SHOWN)
            .collect();
        if !present.is_empty() {
            return Some(format!("[{}]", present.join(" or ")));
        }
        let mut absent = String::new();
        for theirs in &theirs {
            let paths: Vec<&str> = theirs
                .iter()
                .filter(|path| path.tells_from(&mine))
                .map(|path| path.written.as_str())
                .take(FEATURES_SHOWN)
                .collect();
            if paths.is_empty() {
                return None;
            }
            absent += &format!("[not({})]", paths.join(" or "));
        }
        Some(absent)
    };
    match (condition(Dialect::Parsel), condition(Dialect::Plain)) {
        (Some(parsel), Some(plain)) => Ok(Piece::Condition { parsel, plain }),
        _ => Err("it is told from its neighbours only by how much is inside".into()),
    }
}

/// A feature as a path of kinds.
struct FeaturePath {
    feature: u64,
    written: String,
    /// The path without class names.
    tags: String,
}

impl FeaturePath {
    /// Do blocks with these features not have it? A path without class names also finds what has some.
    fn tells_from(&self, others: &[FeaturePath]) -> bool {
        let bare = self.written == self.tags;
        others.iter().all(|other| other.feature != self.feature && !(bare && other.tags == self.tags))
    }
}

/// Features as paths, the shortest first. A feature is a hash of the path above it and a kind, so that all paths are tried
/// that begin with known ones.
fn feature_paths(template: &Template, shape: &[u64], dialect: Dialect) -> Vec<FeaturePath> {
    const TEXT: &str = "text()[normalize-space()]";
    let mut found: Vec<FeaturePath> = Vec::new();
    let mut level = vec![(0u64, String::new(), String::new())];
    for _ in 0..FEATURE_DEPTH {
        let mut below = Vec::new();
        for (path, above, tags_above) in &level {
            let kinds = template.kinds.iter().map(|kind| (kind.signature, Some(kind)));
            for (signature, kind) in kinds.chain([(TEXT_SIGNATURE, None)]) {
                let mut bytes = [0u8; 16];
                bytes[..8].copy_from_slice(&path.to_le_bytes());
                bytes[8..].copy_from_slice(&signature.to_le_bytes());
                let feature = xxh3_64(&bytes);
                if !shape.contains(&feature) {
                    continue;
                }
                let step = kind.map_or_else(|| TEXT.to_owned(), |kind| node_test(&[kind], &[], dialect));
                let tag = kind.map_or(TEXT, |kind| kind.tag.as_str());
                let down = |above: &str, step: &str| {
                    if above.is_empty() { step.to_owned() } else { format!("{above}/{step}") }
                };
                let (written, tags) = (down(above, &step), down(tags_above, tag));
                if kind.is_some() {
                    below.push((feature, written.clone(), tags.clone()));
                }
                found.push(FeaturePath { feature, written, tags });
            }
        }
        level = below;
    }
    found
}

/// Every label as XPath's `contains` wants it.
fn listed(labels: &[String]) -> String {
    literal(&format!("|{}|", labels.join("|")))
}

impl Piece {
    /// The piece as plain XPath: what the functions of the Python helper give.
    pub(super) fn plain(&self) -> String {
        const ITSELF: &str = "concat('|', normalize-space(), '|')";
        const FIRST: &str = "normalize-space(descendant-or-self::text()[normalize-space()][1])";
        let is_known = |every: &str| format!("contains({every}, concat('|', {FIRST}, '|'))");
        const LAST: &str = "normalize-space(descendant-or-self::text()[normalize-space()][last()])";
        const TEXTS: &str = "count(descendant-or-self::text()[normalize-space()])";
        // The sibling whose last words are the label before; the last words of one row say nothing about the next.
        let before = |every: &str, own: &OwnKind| {
            let last = format!(
                "preceding-sibling::node()[normalize-space()][contains({every}, concat('|', {LAST}, '|'))][1]"
            );
            if own.plain.is_empty() {
                last
            } else {
                format!("{last}[not(self::{} and {TEXTS} > 1)]", own.plain)
            }
        };
        let own = |label: &str| match (label.ends_with([':', '：', ' ']), literal(label)) {
            (true, label) => format!("starts-with({FIRST}, {label})"),
            (false, label) => format!("{FIRST} = {label} or {TEXTS} = 2 and {LAST} = {label}"),
        };
        match self {
            Piece::Elements { plain, .. } => format!("/{plain}"),
            Piece::Texts => "/text()[normalize-space()]".to_owned(),
            Piece::Condition { plain, .. } => plain.clone(),
            Piece::NoLabel { labels } => format!("[not(contains({}, {ITSELF}))]", listed(labels)),
            Piece::Labelled { label, labels, own: own_kind } => {
                let every = listed(labels);
                let alone = Piece::NoLabel { labels: labels.clone() }.plain();
                format!(
                    "{alone}[{} or not({}) and {}[{LAST} = {}]]",
                    own(label),
                    is_known(&every),
                    before(&every, own_kind),
                    literal(label)
                )
            }
            Piece::Unlabelled { others, labels, own: own_kind } => {
                let (every, other) = (listed(labels), listed(others));
                let alone = Piece::NoLabel { labels: labels.clone() }.plain();
                let mut owns = vec![is_known(&other)];
                owns.extend(
                    others.iter().filter(|label| label.ends_with([':', '：'])).map(|label| own(label)),
                );
                format!(
                    "{alone}[not({} or not({}) and {}[contains({other}, concat('|', {LAST}, '|'))])]",
                    owns.join(" or "),
                    is_known(&every),
                    before(&every, own_kind)
                )
            }
        }
    }
}
