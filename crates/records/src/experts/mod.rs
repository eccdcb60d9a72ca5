//! The experts: each says how alike two records are in one respect, from 0 to 1, or that it has no opinion.
//!
//! One expert is one file and one line in [`REGISTRY`]; `string_edit.rs` is the shortest and a good one to copy.
//! A score of exactly 1 means "the same" in the expert's sense; the evidence gives it a bin of its own.

mod abbreviation;
mod book_title;
mod date;
mod editor;
mod identifier;
mod journal_article;
mod location;
mod names;
mod normalized_title;
mod number;
mod numerals;
mod string_edit;
mod venue_name;
mod venue_type;
mod whole_record;
mod word_match;
mod word_set;

use crate::corpus::Corpus;
use crate::record::RecordIndex;

/// The comparison function of a judge.
pub type Compare<'c> = Box<dyn Fn(RecordIndex, RecordIndex) -> Option<f32> + Send + Sync + 'c>;

/// An expert put to work on one field (or on several) of one set of records.
pub struct Judge<'c> {
    /// The expert's name.
    pub expert: &'static str,
    /// The field it reads, or what it reads when that is not one field.
    pub on: String,
    /// How alike two records are, 0 to 1; `None` for no opinion. Symmetric.
    pub compare: Compare<'c>,
}

impl Judge<'_> {
    /// `expert:field`, the name in models and reports.
    pub fn label(&self) -> String {
        format!("{}:{}", self.expert, self.on)
    }
}

impl std::fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label())
    }
}

/// One way of comparing.
pub struct Expert {
    /// Unique, snake_case.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether the default set has it. The others are the thesis's for citations and venues.
    pub set: ExpertSet,
    /// Time of one comparison against that of looking up a number, roughly; cheap experts are asked first.
    pub cost: u8,
    /// Makes its judges for these records: none when nothing here concerns it.
    pub judges: for<'c> fn(&'c Corpus<'c>) -> Vec<Judge<'c>>,
}

/// Where an expert belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpertSet {
    /// Works on any records.
    General,
    /// Named by the thesis for citations; finds its fields by their names and is silent elsewhere.
    Citation,
    /// Named by the thesis for venues; likewise.
    Venue,
}

/// All experts. Adding one means a file and a line here.
pub const REGISTRY: &[Expert] = &[
    string_edit::EXPERT,
    normalized_title::EXPERT,
    word_set::EXPERT,
    names::EXPERT,
    abbreviation::EXPERT,
    date::EXPERT,
    number::EXPERT,
    numerals::EXPERT,
    identifier::EXPERT,
    whole_record::EXPERT,
    venue_type::EXPERT,
    venue_name::EXPERT,
    book_title::EXPERT,
    journal_article::EXPERT,
    location::EXPERT,
    editor::EXPERT,
];

/// Which experts take part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Panel {
    /// All that find something to compare.
    #[default]
    All,
    /// All except these; for measuring what each is worth.
    Without(Vec<String>),
    /// Only these. `["string_edit"]` is the thesis's baseline.
    Only(Vec<String>),
}

impl Panel {
    /// The thesis's baseline: one string-edit expert for each field.
    pub fn string_edit_baseline() -> Panel {
        Panel::Only(vec!["string_edit".to_owned()])
    }

    /// Whether an expert takes part.
    pub fn admits(&self, expert: &str) -> bool {
        match self {
            Panel::All => true,
            Panel::Without(names) => !names.iter().any(|n| n == expert),
            Panel::Only(names) => names.iter().any(|n| n == expert),
        }
    }

    /// The judges of the admitted experts, in registry order.
    pub fn judges<'c>(&self, corpus: &'c Corpus<'c>) -> Vec<Judge<'c>> {
        REGISTRY.iter().filter(|e| self.admits(e.name)).flat_map(|e| (e.judges)(corpus)).collect()
    }
}

/// The cost of an expert's comparison.
pub(crate) fn cost_of(expert: &str) -> u8 {
    REGISTRY.iter().find(|e| e.name == expert).map_or(1, |e| e.cost)
}

/// Helper for experts that look at each column alone.
fn for_columns<'c>(
    corpus: &'c Corpus<'c>,
    expert: &'static str,
    applies: impl Fn(&crate::corpus::Column) -> bool,
    make: impl Fn(&'c crate::corpus::Column) -> Compare<'c>,
) -> Vec<Judge<'c>> {
    corpus
        .columns
        .iter()
        .filter(|column| applies(column))
        .map(|column| Judge { expert, on: column.name.clone(), compare: make(column) })
        .collect()
}

/// Scores below 1 are pressed into 0..0.9 so that "the same" keeps the last bin for itself.
fn nearly(score: f32) -> f32 {
    if score >= 1.0 { 1.0 } else { score.max(0.0) * 0.899 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordSet;

    /// Records that make every expert speak, with hostile values among them.
    fn zoo() -> RecordSet {
        let mut set = RecordSet::default();
        let long = "x".repeat(1_200_000);
        for (i, title) in
            ["The trees of life", "the tree of life", "", "東京の木", &long, "???"].iter().enumerate()
        {
            let i = i.to_string();
            set.push_named(
                i.clone(),
                &[
                    ("title", title),
                    ("author", "Paul E. Utgoff and C. Brodley"),
                    ("journal", "Machine Learning"),
                    ("booktitle", "Proc. of ML-93 and others of that kind"),
                    ("venue", "ICML"),
                    ("volume", &i),
                    ("pages", "1-20"),
                    ("editor", "M. Jordan"),
                    ("address", "Cambridge; MA"),
                    ("year", "1990"),
                    ("isbn", "11112222X"),
                    ("price", "$12"),
                ],
            );
        }
        set.push_named(
            "last",
            &[
                ("editor", "T. Kohonen"),
                ("price", "$13"),
                ("isbn", "9-999-8888"),
                ("year", "1991"),
                ("author", "Someone Else"),
                ("journal", "Nature"),
                ("booktitle", "Letters"),
                ("venue", "Cognitive Science"),
                ("pages", "400"),
                ("address", "Paris"),
            ],
        );
        set
    }

    #[test]
    fn every_expert_keeps_to_the_rules() {
        let set = zoo();
        let corpus = Corpus::new(&set, None);
        let judges = Panel::All.judges(&corpus);
        for expert in REGISTRY {
            assert!(judges.iter().any(|j| j.expert == expert.name), "{} never speaks", expert.name);
        }
        let last = set.len() as RecordIndex;
        for judge in &judges {
            for a in 0..last {
                for b in 0..last {
                    let score = (judge.compare)(a, b);
                    assert_eq!(score, (judge.compare)(b, a), "{} is not symmetric", judge.label());
                    if let Some(s) = score {
                        assert!((0.0..=1.0).contains(&s), "{} says {s}", judge.label());
                    }
                }
            }
        }
    }

    #[test]
    fn a_panel_can_leave_experts_out() {
        let set = zoo();
        let corpus = Corpus::new(&set, None);
        let baseline = Panel::string_edit_baseline().judges(&corpus);
        assert!(baseline.iter().all(|j| j.expert == "string_edit"));
        assert!(baseline.len() >= 10);
        assert!(!Panel::Without(vec!["names".into()]).admits("names"));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|e| e.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTRY.len());
    }
}
