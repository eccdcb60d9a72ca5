//! The page with its tables and lists cut to their first rows.
//!
//! # What it does
//! Share of common runs of five tags after cutting every table and list to three rows.
//! # Assumes
//! The first rows are like the others.
//! # When it fails
//! Lists that are not made of table or list elements.
//! # Paper
//! Gazen 2008 (CONFHEX), table expert.

use super::page_view::hash;
use super::{Expert, Features, PageView, Weights, list};

pub(super) const EXPERT: Expert = Expert {
    name: "table",
    about: "tag runs the pages share when tables and lists are cut to three rows",
    read,
    weigh: Weights::counted,
    weight: |weights, run| weights.template(run.key),
    score: list::score,
};

/// Rows kept of a table or list.
const ROWS: usize = 3;
/// Elements in a run.
const RUN: usize = 5;
/// Runs kept of a page.
const MAX_RUNS: usize = 200;

fn read(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let mut row = Vec::new();
    let mut rows_of = vec![0usize; tree.len()];
    let mut skip_until = 0;
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if node.0 < skip_until {
            continue;
        }
        let above = tree.parent(node).unwrap_or_default();
        if matches!(tree.name(above), "table" | "tbody" | "ul" | "ol" | "dl") {
            rows_of[above.index()] += 1;
            if rows_of[above.index()] > ROWS {
                skip_until = tree.end(node).0;
                continue;
            }
        }
        row.push(hash(&[tree.name(node)]));
    }
    list::runs(&row, RUN, MAX_RUNS)
}
