//! One step of a template as pieces of a path.

use unsite_wrapper::{Kind, Spec, TEXT_SIGNATURE, Template, TemplateNode};

use super::names::{css_test, literal, named_test, node_test};
use super::{Target, shapes};

/// An element with a text, a picture or a link with a name: others are not there for matching.
const CONTENT: &str =
    "[normalize-space() or descendant-or-self::img or descendant-or-self::a[@href and @aria-label]]";

/// A part of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// A step down to elements of these kinds and not of those; `css` where CSS can say the same.
    Elements { parsel: String, plain: String, css: Option<String> },
    /// A step down to texts.
    Texts,
    /// A condition as it stands.
    Condition(String),
    /// Introduced by this label of those; `own` is a test for the element's own kind, empty for texts.
    Labelled { label: String, labels: Vec<String>, own: String },
    /// Introduced by none of the others, of those.
    Unlabelled { others: Vec<String>, labels: Vec<String>, own: String },
    /// More than one of the labels alone.
    NoLabel { labels: Vec<String> },
    /// Of blocks with these paths inside, most like this one; only for code that can compare.
    Shaped { shapes: Vec<Vec<String>>, which: usize },
}

/// The pieces that lead from a step to one below it; why not, where that cannot be said.
pub(super) fn step_down(
    template: &Template,
    above: &TemplateNode,
    spec: &Spec,
    must_have_content: bool,
    target: Target,
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
    if alike.len() > 1 && alike.iter().any(|other| other.block.is_some()) {
        pieces.push(Piece::Condition(block_condition(above, spec, &alike)));
        alike.retain(|other| other.block == spec.block);
    }
    if target.compares() && alike.len() > 1 && alike.iter().any(|other| !other.shape.is_empty()) {
        pieces.push(shapes::likest(template, spec, &alike));
    } else if alike.iter().any(|other| other.shape != spec.shape) {
        // Blocks that nothing is read from need not be told apart, but are where that can be said: their texts may stand
        // where ours do.
        let telling = |other: &&&Spec| other.shape == spec.shape || speaks(template, other.node);
        let telling: Vec<&Spec> = alike.iter().filter(telling).copied().collect();
        match shapes::condition(template, spec, &alike) {
            Ok(piece) => pieces.push(piece),
            Err(_) if telling.iter().all(|other| other.shape == spec.shape) => {}
            Err(_) => pieces.push(shapes::condition(template, spec, &telling)?),
        }
    }
    alike.retain(|other| other.shape == spec.shape);
    let is_text = spec.signature == TEXT_SIGNATURE;
    let taken: Vec<u32> = alike.iter().filter_map(|other| other.index).collect();
    let anywhere = alike.iter().filter(|other| other.index.is_none()).count();
    if (must_have_content || !taken.is_empty()) && !is_text {
        pieces.push(Piece::Condition(CONTENT.into()));
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
        pieces.push(Piece::Condition(at));
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
    let has_named = |tag: &str| template.kinds.iter().any(|kind| kind.tag == tag && !kind.names.is_empty());
    let parsel = named_test(&own, has_named);
    Ok(Piece::Elements { parsel, plain: node_test(&own, &others), css })
}

fn kind(template: &Template, signature: u64) -> Option<&Kind> {
    let at = template.kinds.binary_search_by_key(&signature, |kind| kind.signature).ok()?;
    template.kinds.get(at)
}

fn label_piece(template: &Template, above: &TemplateNode, spec: &Spec, of_kind: &[&Spec]) -> Piece {
    let labels = above.labels.clone();
    let own = kind(template, spec.signature).map(|kind| node_test(&[kind], &[]));
    let own = own.unwrap_or_default();
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

/// Holds a landmark of its block, or none of those of the others.
fn block_condition(above: &TemplateNode, spec: &Spec, alike: &[&Spec]) -> String {
    let of = |wanted: &dyn Fn(u32) -> bool| -> Vec<String> {
        above.blocks.iter().filter(|(_, block)| wanted(*block)).map(|(text, _)| text.clone()).collect()
    };
    let holds = |landmarks: &[String]| {
        let mut ways = vec![format!("contains({}, concat('|', normalize-space(), '|'))", listed(landmarks))];
        let inside = landmarks.iter().filter(|landmark| landmark.ends_with([':', '：']));
        ways.extend(inside.map(|landmark| format!("starts-with(normalize-space(), {})", literal(landmark))));
        format!(".//text()[{}]", ways.join(" or "))
    };
    match spec.block {
        Some(own) => format!("[{}]", holds(&of(&|block| block == own))),
        None => {
            let others: Vec<u32> = alike.iter().filter_map(|other| other.block).collect();
            format!("[not({})]", holds(&of(&|block| others.contains(&block))))
        }
    }
}

/// Every label as XPath's `contains` wants it.
fn listed(labels: &[String]) -> String {
    literal(&format!("|{}|", labels.join("|")))
}

/// The first text of a node, its last, and how many it has.
const FIRST: &str = "normalize-space(descendant-or-self::text()[normalize-space()][1])";
const LAST: &str = "normalize-space(descendant-or-self::text()[normalize-space()][last()])";
const TEXTS: &str = "count(descendant-or-self::text()[normalize-space()])";

/// The first text is one of the labels, or begins with one of those that may begin a text.
fn begins_with(labels: &[String]) -> String {
    let mut ways = vec![format!("contains({}, concat('|', {FIRST}, '|'))", listed(labels))];
    ways.extend(labels.iter().filter(|label| may_begin(label)).map(|label| owns(label)));
    ways.join(" or ")
}

/// `ISBN: 978...`, `Focal length 50 mm`: labels that stand inside a text.
fn may_begin(label: &str) -> bool {
    label.ends_with([':', '：', ' '])
}

/// The text begins with the label, or is a value and then the label.
fn owns(label: &str) -> String {
    let written = literal(label);
    if may_begin(label) {
        format!("starts-with({FIRST}, {written})")
    } else {
        format!("{FIRST} = {written} or {TEXTS} = 2 and {LAST} = {written}")
    }
}

/// The sibling whose last words are the label before; the last words of one row say nothing about the next.
fn before(every: &str, own: &str) -> String {
    let last = format!(
        "preceding-sibling::node()[normalize-space()][contains({every}, concat('|', {LAST}, '|'))][1]"
    );
    if own.is_empty() { last } else { format!("{last}[not(self::{own} and {TEXTS} > 1)]") }
}

impl Piece {
    /// The piece as plain XPath: as near as it can say it.
    pub(super) fn plain(&self) -> String {
        match self {
            Piece::Elements { plain, .. } => format!("/{plain}"),
            Piece::Texts => "/text()[normalize-space()]".to_owned(),
            Piece::Condition(condition) => condition.clone(),
            // Never asked for: where nothing can compare, a condition is written.
            Piece::Shaped { .. } => String::new(),
            Piece::NoLabel { labels } => {
                format!("[not(contains({}, concat('|', normalize-space(), '|')))]", listed(labels))
            }
            Piece::Labelled { label, labels, own } => {
                format!(
                    "{}[{} or not({}) and {}[{LAST} = {}]]",
                    Piece::NoLabel { labels: labels.clone() }.plain(),
                    owns(label),
                    begins_with(labels),
                    before(&listed(labels), own),
                    literal(label)
                )
            }
            Piece::Unlabelled { others, labels, own } => {
                let behind: Vec<String> =
                    others.iter().filter(|label| !may_begin(label)).map(|label| owns(label)).collect();
                let behind = behind.iter().map(|way| format!(" or {way}")).collect::<String>();
                format!(
                    "{}[not({}{behind} or not({}) and {}[contains({}, concat('|', {LAST}, '|'))])]",
                    Piece::NoLabel { labels: labels.clone() }.plain(),
                    begins_with(others),
                    begins_with(labels),
                    before(&listed(labels), own),
                    listed(others)
                )
            }
        }
    }
}
