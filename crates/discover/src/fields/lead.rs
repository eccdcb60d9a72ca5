//! The first paragraph of a page's text: what a reader is told first, in one sentence or a few.
//!
//! # What it does
//! Takes the first running text of the pages that has several paragraphs on some of them; its first paragraph becomes a column
//! beside the whole.
//!
//! # Assumes
//! Writers say first what a text is about.
//!
//! # When it fails
//! Texts that open with a notice or a greeting.
//!
//! # Paper
//! Ours.

use rustc_hash::FxHashMap;
use unsite_wrapper::What;

use super::columns::Slot;
use super::grow::Grown;
use super::parts::{is_known, values_by_row};

/// The share of its texts that have more than one paragraph; with fewer, the whole is the lead.
const SEVERAL: f64 = 0.1;

/// A main text stands on this share of the pages.
const ON_MOST_PAGES: f64 = 0.5;

/// Adds the first paragraph of the main text, unless another column says it too.
pub(super) fn add_lead(grown: &Grown, slots: &mut Vec<Slot>, pages: usize) {
    let lead = slots
        .iter()
        .filter(|slot| slot.list == 0 && slot.what == What::Prose)
        .map(|slot| (slot, paragraphs(grown, slot)))
        .filter(|(slot, paragraphs)| {
            let several = paragraphs.iter().filter(|text| text.several).count();
            slot.rows.len() as f64 >= ON_MOST_PAGES * pages as f64
                && several as f64 >= SEVERAL * paragraphs.len() as f64
                && several > 0
        })
        .min_by(|a, b| a.0.mean_place().total_cmp(&b.0.mean_place()))
        .map(|(slot, paragraphs)| {
            let share = slot.rows.len() as f64 / slot.values.max(1) as f64;
            let (examples, rows) = paragraphs.into_iter().map(|text| (text.first, text.row)).unzip();
            slot.part(What::Lead(Box::new(slot.what.clone())), examples, rows, share)
        });
    let Some(lead) = lead else { return };
    let others = slots.iter().filter(|slot| slot.step != lead.step || slot.what != What::Prose);
    if !is_known(&lead, &values_by_row(others)) {
        slots.push(lead);
    }
}

/// The text of one page.
struct Paragraphs {
    row: (u32, u32),
    first: String,
    several: bool,
}

fn paragraphs(grown: &Grown, slot: &Slot) -> Vec<Paragraphs> {
    let flows = grown.template.nodes[slot.step].flows;
    let mut texts: Vec<Paragraphs> = Vec::new();
    let mut place: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for (value, &row) in slot.examples.iter().zip(&slot.example_rows) {
        match place.get(&row).filter(|_| flows) {
            Some(&at) => {
                texts[at].several = true;
            }
            None => {
                place.insert(row, texts.len());
                let first = value.lines().next().unwrap_or_default().to_owned();
                texts.push(Paragraphs { row, several: first.len() < value.len(), first });
            }
        }
    }
    texts
}
