//! What follows from a template for whoever reads it off many pages, worked out once.

use std::ops::Range;

use crate::matching::{Steps, inline_label, is_label, leading_words};
use crate::template::{Spec, Template, TemplateNode};

/// How the steps of a template are looked up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// By step.
    steps: Vec<StepPlan>,
    kinds: Vec<KindPlan>,
}

#[derive(Debug, Clone, Default)]
struct StepPlan {
    /// Rows or values are read at it or below it; most steps only say how pages are built.
    is_read: bool,
    labels: LabelPlan,
    /// The kinds of its children, in [`Plan::kinds`], sorted by signature.
    kinds: Range<u32>,
}

/// What the labels of a step look like: quick noes for texts that are none.
#[derive(Debug, Clone, Copy, Default)]
struct LabelPlan {
    /// How long they are: a bit for each length, the last for all that are longer.
    lengths: u64,
    /// Some end with a colon, and may be found before it.
    have_colons: bool,
    /// Some are the first words of texts, which end with a space.
    are_words: bool,
}

impl LabelPlan {
    fn of(labels: &[String]) -> Self {
        LabelPlan {
            lengths: labels.iter().fold(0, |lengths, label| lengths | length_bit(label.len())),
            have_colons: labels.iter().any(|label| label.ends_with([':', '：'])),
            are_words: labels.iter().any(|label| label.ends_with(' ')),
        }
    }
}

/// The specs for children of one kind.
#[derive(Debug, Clone)]
struct KindPlan {
    signature: u64,
    specs: Range<u32>,
    /// One of them leads to something that is read.
    is_read: bool,
}

impl Plan {
    pub(crate) fn of(template: &Template) -> Self {
        let read = template.read_steps();
        let mut plan = Plan::default();
        for (node, &is_read) in template.nodes.iter().zip(&read) {
            let start = plan.kinds.len() as u32;
            // Nobody looks below a step that is not read.
            let specs = if is_read { node.specs.as_slice() } else { &[] };
            let mut at = 0;
            for alike in specs.chunk_by(|a, b| a.signature == b.signature) {
                let end = at + alike.len() as u32;
                let is_read = alike.iter().any(|spec| read[spec.node]);
                plan.kinds.push(KindPlan { signature: alike[0].signature, specs: at..end, is_read });
                at = end;
            }
            let labels = LabelPlan::of(&node.labels);
            plan.steps.push(StepPlan { is_read, labels, kinds: start..plan.kinds.len() as u32 });
        }
        plan
    }

    /// How the children of one step are looked up.
    pub(crate) fn below<'p>(&'p self, at: usize, step: &'p TemplateNode) -> Below<'p> {
        let StepPlan { kinds, labels, .. } = &self.steps[at];
        let kinds = &self.kinds[kinds.start as usize..kinds.end as usize];
        Below { plan: self, step, kinds, labels: *labels }
    }
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(u64::BITS as usize - 1)
}

/// One step as a plan knows it.
#[derive(Clone, Copy)]
pub(crate) struct Below<'p> {
    plan: &'p Plan,
    step: &'p TemplateNode,
    kinds: &'p [KindPlan],
    labels: LabelPlan,
}

impl<'p> Steps<'p> for Below<'p> {
    fn of_kind(&self, signature: u64) -> (&'p [Spec], bool) {
        let start = self.kinds.partition_point(|kind| kind.signature < signature);
        match self.kinds.get(start).filter(|kind| kind.signature == signature) {
            Some(kind) => {
                (&self.step.specs[kind.specs.start as usize..kind.specs.end as usize], kind.is_read)
            }
            None => (&[], false),
        }
    }

    fn is_wanted(&self, step: usize) -> bool {
        self.plan.steps[step].is_read
    }

    fn label_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let known = |text: &str| {
            self.labels.lengths & length_bit(text.len()) != 0 && is_label(&self.step.labels, text)
        };
        if known(text) {
            return Some(text);
        }
        let before_colon = if self.labels.have_colons { inline_label(text) } else { None };
        before_colon.filter(|label| known(label)).or_else(|| {
            let mut words = self.labels.are_words.then(|| leading_words(text)).into_iter().flatten();
            words.rfind(|words| known(words))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::label_in;

    fn step(labels: &[&str]) -> TemplateNode {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        TemplateNode { labels, ..TemplateNode::default() }
    }

    #[test]
    fn labels_are_those_that_all_labels_are_searched_for() {
        let long = "a label of more than sixty-three letters, which all share the last bit of lengths:";
        let texts =
            ["ISBN", "ISBN:", "ISBN: 978", "Focal length 50 mm", "Focal", "Focal ", "Zoom：3", "", long, "x"];
        let longer = format!("{long} x");
        let sets: [&[&str]; 6] = [
            &[],
            &["ISBN"],
            &["ISBN:"],
            &["Focal ", "Focal length "],
            &["Zoom："],
            &["Focal", "ISBN:", long],
        ];
        for labels in sets {
            let template = Template { nodes: vec![step(labels)], ..Template::default() };
            let plan = Plan::of(&template);
            let below = plan.below(0, &template.nodes[0]);
            for text in texts.into_iter().chain([longer.as_str()]) {
                let searched = label_in(text, |text| labels.contains(&text));
                assert_eq!(below.label_of(text), searched, "{text} among {labels:?}");
            }
        }
    }

    #[test]
    fn kinds_lead_to_their_specs_and_only_to_what_is_read() {
        let spec = |signature, node| Spec { signature, node, ..Spec::default() };
        let mut root = step(&[]);
        root.specs = vec![spec(2, 1), spec(5, 1), spec(5, 2), spec(9, 1)];
        let read = TemplateNode { rows_of: Some(0), ..TemplateNode::default() };
        let template = Template { nodes: vec![root, TemplateNode::default(), read], ..Template::default() };
        let plan = Plan::of(&template);
        let below = plan.below(0, &template.nodes[0]);
        let found = |signature| {
            let (specs, is_read) = below.of_kind(signature);
            (specs.len(), is_read)
        };
        assert_eq!(
            [1, 2, 5, 7, 9, 10].map(found),
            [(0, false), (1, false), (2, true), (0, false), (1, false), (0, false)]
        );
        assert!(below.is_wanted(2) && !below.is_wanted(1));
    }
}
