//! Grows a template from the pages of one type, from the document downwards.
//!
//! # What it does
//! All pages are walked at once. At each step the children of all its instances are grouped by signature
//! (tag and template names). A signature that stands at most once under a parent is one step below. A
//! repeated one is told apart, in this order, by the constant text that introduces it (name-value lists,
//! definition lists, headed sections), by what it looks like inside (layout blocks), and by its place;
//! what still repeats is a list, and its instances are rows.
//!
//! # Assumes
//! Pages of one type share their outer structure, and labels recur on at least [`labels::COMMON`] of the
//! places where they could stand.
//!
//! # When it fails
//! On a single page nothing is constant, so labels are only those that end with a colon. Layout variants of
//! one type grow separate branches; `columns` joins those that never meet on a page.
//!
//! # Paper
//! The hierarchical template of CONFHEX (Gazen 2008, chapter 4), which the thesis uses but does not spell out;
//! the order of the tests is ours.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::NodeId;
use unsite_wrapper::{
    ClassMap, Kind, SHAPE_DEPTH, Spec, TEXT_SIGNATURE, Template, TemplateNode, View, match_children,
    shape_feature,
};

use super::alternation::{self, Turns};
use super::labels::{self, Labels};
use super::landmarks::Landmarks;
use super::nesting;
use super::prose;
use super::runs;
use super::siblings::{Member, Plan, plan};
use super::variants;
use crate::thing_names::ThingNames;

/// An instance of a step: a node of one of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) page: u32,
    pub(crate) node: NodeId,
}

/// A template, and for each of its steps whether it is the row of a list, and its tag (empty for texts).
pub(crate) struct Grown {
    pub(crate) template: Template,
    pub(crate) lists: Vec<bool>,
    pub(crate) tags: Vec<String>,
    /// For a step that goes on with the row of a sibling: the step that opens it.
    pub(crate) opened_by: Vec<Option<usize>>,
    /// For each step that goes on with rows, whether it often does so more than once.
    pub(crate) comes_again: Vec<bool>,
    /// The label that introduces each step.
    pub(crate) label_of: Vec<Option<String>>,
    /// The kind of element that each step stands for.
    pub(crate) kinds: Vec<u64>,
    /// The texts that stand once on the pages.
    pub(crate) landmarks: Landmarks,
    /// The kinds of the rows that stand inside the rows of this list, sorted.
    nests: Vec<Vec<u64>>,
}

/// Steps of one template. Real pages need some hundred; a hostile one must not grow without bounds.
const MOST_STEPS: usize = 20_000;

/// Instances that one thread matches at a time: fewer are not worth handing over.
const MATCHED_TOGETHER: usize = 32;

/// A signature counts as repeated when this share of its parents hold it more than once: below, it is an
/// accident of broken markup.
const REPEATED: f64 = 0.05;

/// Grows the template of the pages.
pub(crate) fn grow(views: &[View], classes: ClassMap, names: &ThingNames) -> Grown {
    let root = TemplateNode { step: String::new(), ..TemplateNode::default() };
    let mut grown = Grown {
        template: Template { classes, nodes: vec![root], ..Template::default() },
        lists: vec![false],
        tags: vec![String::new()],
        opened_by: vec![None],
        comes_again: vec![false],
        label_of: vec![None],
        kinds: vec![0],
        landmarks: Landmarks::learn(views, names),
        nests: vec![Vec::new()],
    };
    let everywhere = (0..views.len() as u32).map(|page| Instance { page, node: NodeId::DOCUMENT }).collect();
    let mut open: Vec<(usize, Vec<Instance>)> = vec![(0, everywhere)];
    while let Some((step, mut instances)) = open.pop() {
        if grown.template.nodes.len() >= MOST_STEPS {
            break;
        }
        if grown.template.nodes[step].flows {
            continue;
        }
        if grown.lists[step] {
            let kind = grown.kinds[step];
            grown.nests[step] = nesting::add_inner_rows(views, &grown.template.classes, kind, &mut instances);
        }
        branch(views, (step, &instances), names, &mut grown);
        let mut below: FxHashMap<usize, Vec<Instance>> = FxHashMap::default();
        let mut sequences: Vec<Vec<usize>> = Vec::with_capacity(instances.len());
        let node = &grown.template.nodes[step];
        let match_one = |instance: &Instance| {
            let mut matched = match_children(&views[instance.page as usize], node, instance.node);
            // Steps above are grown already, from all of their rows.
            matched.retain(|(_, child)| *child > step);
            matched
        };
        let matched: Vec<Vec<(NodeId, usize)>> =
            instances.par_iter().with_min_len(MATCHED_TOGETHER).map(match_one).collect();
        for (instance, matched) in instances.iter().zip(matched) {
            sequences.push(matched.iter().map(|(_, child)| *child).collect());
            for (node, child) in matched {
                below.entry(child).or_default().push(Instance { page: instance.page, node });
            }
        }
        runs::mark(&sequences, &mut grown);
        let mut below: Vec<(usize, Vec<Instance>)> = below.into_iter().collect();
        below.sort_unstable_by_key(|(child, _)| *child);
        open.extend(below.into_iter().rev());
    }
    grown.template.kinds = kinds(views, &grown);
    grown
}

/// What the kinds of elements that a template speaks of are called: a signature alone says it to nobody.
fn kinds(views: &[View], grown: &Grown) -> Vec<Kind> {
    let template = &grown.template;
    let specs = template.nodes.iter().flat_map(|node| node.specs.iter().map(|spec| spec.signature));
    let aliases = template.nodes.iter().flat_map(|node| node.aliases.iter().map(|alias| alias.0));
    let inner_rows = grown.nests.iter().flatten().copied();
    let mut missing: BTreeSet<u64> =
        specs.chain(aliases).chain(inner_rows).filter(|signature| *signature != TEXT_SIGNATURE).collect();
    missing.extend(kinds_in_shapes(views, template));
    let mut kinds = Vec::with_capacity(missing.len());
    for view in views {
        for node in view.tree.nodes().filter(|node| view.tree.is_element(*node)) {
            let signature = view.signatures[node.index()];
            if missing.remove(&signature) {
                let names = template.classes.names(view.tree, node);
                kinds.push(Kind { signature, tag: view.tree.name(node).to_owned(), names });
            }
        }
        if missing.is_empty() {
            break;
        }
    }
    kinds.sort_unstable_by_key(|kind| kind.signature);
    kinds
}

/// The kinds of elements that shapes speak of: the last ones of the paths that are features of a shape.
fn kinds_in_shapes(views: &[View], template: &Template) -> BTreeSet<u64> {
    let specs = template.nodes.iter().flat_map(|node| &node.specs);
    let mut missing: FxHashSet<u64> = specs.flat_map(|spec| spec.shape.iter().copied()).collect();
    let mut kinds = BTreeSet::new();
    for view in views {
        // For each node the features of the paths to it from the nodes one, two, three, four steps above it.
        let mut paths: Vec<[u64; SHAPE_DEPTH]> = Vec::with_capacity(view.tree.len());
        // The boxes by their cells: in a shape both are one step.
        let mut boxes: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for node in view.tree.nodes() {
            if missing.is_empty() {
                return kinds;
            }
            let kind = view.signatures[node.index()];
            let cell = view.unboxed(node);
            if cell != node {
                boxes.insert(cell, node);
            }
            let mut own = [0; SHAPE_DEPTH];
            let mut above = 0;
            for (depth, feature) in own.iter_mut().enumerate() {
                *feature = shape_feature(above, kind);
                if missing.remove(feature) && view.tree.is_element(node) {
                    kinds.insert(kind);
                }
                let Some(parent) = view.tree.parent(boxes.get(&node).copied().unwrap_or(node)) else { break };
                above = paths[parent.index()][depth];
            }
            paths.push(own);
        }
    }
    kinds
}

/// Finds the steps below one step.
fn branch(views: &[View], (step, instances): (usize, &[Instance]), names: &ThingNames, grown: &mut Grown) {
    let members = members(views, instances);
    let (mut inner_rows, members): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(kind, _)| grown.nesting_list(step, *kind).is_some());
    let (members, aliases) = variants::join(views, instances.len(), members);
    let repeated: Vec<bool> = members.iter().map(|(_, group)| is_repeated(group)).collect();
    // In the rows of a table the place tells the cells apart; what is frequent there is a value.
    let table_row = grown.tags[step] == "tr" && grown.lists[step];
    let labels = if repeated.iter().any(|&repeated| repeated) && !table_row {
        labels::find(views, instances, &members, names)
    } else {
        Labels::default()
    };
    let introductions = labels.introductions(views, instances);
    let turns = alternation::taking_turns(views, &members, &introductions);
    let records = turns.iter().any(|turns| *turns != Turns::None);
    let running = || {
        prose::is_prose(views, instances, &members)
            || prose::is_flow(views, instances, &members)
            || prose::is_phrase(views, instances)
            || prose::is_marked_text(views, &members)
    };
    // What stands at the end of a quote is no label of what was answered.
    let written =
        || !prose::has_bare_label(views, &members, &labels) && prose::is_written(views, instances, &members);
    // What only wraps something is judged there, where its labels show.
    if !records
        && !prose::wraps_one(&members, instances.len())
        && (labels.is_empty() && running() || written())
    {
        grown.template.nodes[step].prose = true;
        return;
    }
    if !grown.tags[step].is_empty() && prose::is_single_text(views, instances) {
        let node = &mut grown.template.nodes[step];
        node.prose = true;
        node.labels = grown.label_of[step].iter().cloned().collect();
    }
    let plans: Vec<Vec<Plan>> = members
        .iter()
        .zip(repeated.into_iter().zip(turns))
        .map(|((_, group), (repeated, turns))| {
            if repeated {
                plan(views, group, &grown.landmarks, &introductions, turns)
            } else {
                vec![Plan { list: nesting::is_chain(views, group), ..Plan::default() }]
            }
        })
        .collect();
    // Under which labels there is running text: lists of paragraphs, and what stands between them.
    let mut flow_labels: Vec<Option<String>> = Vec::new();
    for ((_, group), plans) in members.iter().zip(&plans) {
        // Between the parts of records, paragraphs belong to the records.
        if !records && plans.iter().any(|plan| plan.list) && prose::are_paragraphs(views, group) {
            flow_labels.extend(plans.iter().filter(|plan| plan.list).map(|plan| plan.label.clone()));
        }
    }
    let mut blocks: Vec<(String, u32)> = Vec::new();
    let mut specs = Vec::new();
    for (signature, _) in inner_rows.drain(..) {
        let node = grown.nesting_list(step, signature).unwrap_or_default();
        specs.push(Spec { signature, node, ..Spec::default() });
    }
    for ((signature, group), plans) in members.iter().zip(plans) {
        let sample = group[0].node;
        let view = &views[instances[group[0].parent as usize].page as usize];
        for mut plan in plans {
            let flows = *signature != TEXT_SIGNATURE
                && flow_labels.contains(&plan.label)
                && (is_flow_tag(view, sample) || prose::are_paragraphs(views, group))
                && plan.index.is_none()
                && !plan.apart
                && !prose::are_links(views, group)
                && !prose::are_facts(views, group)
                && !prose::is_anchored(views, group, instances.len());
            plan.list &= !flows;
            let node = grown.template.nodes.len();
            grown.template.nodes.push(TemplateNode {
                step: describe(view, sample, &grown.template.classes, &grown.landmarks, &plan),
                parent: step,
                prose: flows,
                flows,
                // A text that carries its own label is read without it.
                labels: match &plan.label {
                    Some(label) if *signature == TEXT_SIGNATURE => vec![label.clone()],
                    _ => Vec::new(),
                },
                ..TemplateNode::default()
            });
            grown.lists.push(plan.list);
            grown.nests.push(Vec::new());
            grown.kinds.push(*signature);
            grown.opened_by.push(None);
            grown.comes_again.push(false);
            grown.label_of.push(plan.label.clone());
            grown.tags.push(view.tree.name(sample).to_owned());
            let block = (!plan.holds.is_empty()).then_some(node as u32);
            let held = plan.holds.iter().map(|&at| grown.landmarks.texts[at as usize].clone());
            blocks.extend(held.map(|text| (text, node as u32)));
            specs.push(Spec {
                signature: *signature,
                label: plan.label,
                block,
                shape: plan.shape,
                index: plan.index,
                node,
            });
        }
    }
    specs.sort_by(|a, b| {
        (a.signature, &a.label, a.block, &a.shape, a.index).cmp(&(
            b.signature,
            &b.label,
            b.block,
            &b.shape,
            b.index,
        ))
    });
    let node = &mut grown.template.nodes[step];
    if !labels.is_empty() {
        node.labels = labels.into_sorted();
    }
    blocks.sort_unstable();
    node.blocks = blocks;
    node.specs = specs;
    node.aliases = aliases;
}

impl Grown {
    /// The list at or above a step whose rows are of this kind and stand inside each other.
    fn nesting_list(&self, step: usize, kind: u64) -> Option<usize> {
        let mut at = step;
        while at != 0 {
            if self.nests[at].binary_search(&kind).is_ok() {
                return Some(at);
            }
            at = self.template.nodes[at].parent;
        }
        None
    }
}

/// Elements that running text is made of when it has no element of its own.
fn is_flow_tag(view: &View, node: NodeId) -> bool {
    matches!(view.tree.name(node), "p" | "ul" | "ol" | "pre" | "blockquote")
}

/// The children of all instances by signature, in the order of their signatures.
fn members(views: &[View], instances: &[Instance]) -> Vec<(u64, Vec<Member>)> {
    let mut groups: FxHashMap<u64, Vec<Member>> = FxHashMap::default();
    for (parent, instance) in instances.iter().enumerate() {
        let view = &views[instance.page as usize];
        for (position, node) in view.content_children(instance.node).enumerate() {
            let signature = view.signatures[node.index()];
            groups.entry(signature).or_default().push(Member {
                parent: parent as u32,
                page: instance.page,
                position: position as u32,
                node,
            });
        }
    }
    let mut groups: Vec<(u64, Vec<Member>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|(signature, _)| *signature);
    groups
}

fn is_repeated(group: &[Member]) -> bool {
    let parents = super::siblings::by_parent(group);
    let several = parents.iter().filter(|range| range.len() > 1).count();
    several as f64 >= REPEATED * parents.len() as f64 && several > 0
}

/// `div.price`, `tr[Height]`, `td:2`, `li*`.
fn describe(view: &View, node: NodeId, classes: &ClassMap, landmarks: &Landmarks, plan: &Plan) -> String {
    let mut step = if view.tree.is_text(node) {
        "text()".to_owned()
    } else {
        let mut step = view.tree.name(node).to_owned();
        for name in classes.names(view.tree, node) {
            if !name.starts_with('#') {
                step.push('.');
            }
            step.push_str(&name);
        }
        step
    };
    if let Some(label) = &plan.label {
        step.push_str(&format!("[{label}]"));
    }
    if let Some(&landmark) = plan.holds.first() {
        step.push_str(&format!("[\u{2026}{}]", landmarks.texts[landmark as usize]));
    }
    if let Some(index) = plan.index {
        step.push_str(&format!(":{}", index + 1));
    }
    if plan.list {
        step.push('*');
    }
    step
}
