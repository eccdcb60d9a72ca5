//! Experts on data: each says from one side how surely two texts of the pages of a type are values of one field.
//!
//! An expert is one file and one line in [`DATA_EXPERTS`]; `layout.rs` is the shortest to copy.

mod date;
mod dom_path;
mod dom_template;
mod header_cell;
mod label;
mod layout;
mod levenshtein;
mod link_target;
mod microdata;
mod name_value;
mod sibling_place;
mod template;
mod text_pattern;
mod value_type;

use super::sample::Sample;

/// One expert on texts.
pub struct DataExpert {
    /// What it is called.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// How alike two texts are, 0 to 1; `None` is no opinion.
    pub(crate) score: fn(&Sample, &Sample) -> Option<f64>,
}

/// All experts: those of the thesis, then ours. The order is that of every list of scores.
pub const DATA_EXPERTS: [DataExpert; 14] = [
    date::EXPERT,
    levenshtein::EXPERT,
    text_pattern::EXPERT,
    dom_path::EXPERT,
    layout::EXPERT,
    template::EXPERT,
    dom_template::EXPERT,
    label::EXPERT,
    name_value::EXPERT,
    header_cell::EXPERT,
    microdata::EXPERT,
    value_type::EXPERT,
    link_target::EXPERT,
    sibling_place::EXPERT,
];

/// How many of them the thesis has.
pub const PUBLISHED: usize = 7;

/// The scores of all experts on two texts.
pub(crate) fn scores(a: &Sample, b: &Sample) -> [Option<f64>; DATA_EXPERTS.len()] {
    DATA_EXPERTS.each_ref().map(|expert| (expert.score)(a, b))
}
