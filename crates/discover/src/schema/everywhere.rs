//! What is said everywhere on a site, whatever its pages are about: advertisements, promotions.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ValueType, Wrapper};

use super::sheets::Sheets;
use super::things::{Targets, Thing};

/// A text that pages of so many kinds have is about none of them.
const KINDS: usize = 3;
/// Where fewer than half of the pages have it, two kinds are enough: what some pages have and others not is put there by whim.
const KINDS_OF_A_WHIM: usize = 2;
/// Where the texts differ, this share of them are said elsewhere.
const ALL: f64 = 0.9;
/// Shorter texts are alike by chance.
const LETTERS: usize = 8;
/// With fewer values nothing is seen to recur.
const FEWEST: usize = 6;

/// On which kinds of pages each text is said.
pub(super) struct Everywhere {
    kinds: FxHashMap<u64, FxHashSet<usize>>,
    names: FxHashSet<u64>,
}

impl Everywhere {
    /// Reads what all pages say. The row of a list that leads to a thing tells of that thing, wherever it stands.
    pub(super) fn of(
        sheets: &Sheets,
        wrapper: &Wrapper,
        (targets, things): (&Targets, &[Thing]),
        address: &dyn Fn(&str) -> String,
    ) -> Everywhere {
        let own: FxHashSet<usize> = things.iter().map(|thing| thing.table).collect();
        let mut kinds: FxHashMap<u64, FxHashSet<usize>> = FxHashMap::default();
        for (table, sheet) in sheets.tables.iter().enumerate() {
            let info = &wrapper.schema.tables[table];
            let texts: Vec<usize> = (0..sheet.columns)
                .filter(|&column| info.columns[column].value_type == ValueType::Text)
                .collect();
            for (row, &(page, _)) in sheet.rows.iter().enumerate() {
                let leads_to_a_thing = || {
                    sheets.row(table, row).cells.iter().any(|cell| {
                        info.columns[cell.column].value_type == ValueType::Url
                            && targets.table(&address(&cell.value)).is_some_and(|to| own.contains(&to))
                    })
                };
                if info.is_list() && leads_to_a_thing() {
                    continue;
                }
                let at = sheets.pages[page].page_type;
                let kind = wrapper.types[at].page_table.unwrap_or(wrapper.schema.tables.len() + at);
                for &column in texts.iter().filter(|&&column| sheet.value(row, column) != 0) {
                    kinds.entry(sheet.value(row, column)).or_default().insert(kind);
                }
            }
        }
        let titles = things.iter().flat_map(|thing| sheets.tables[thing.table].column(thing.title));
        Everywhere { kinds, names: titles.map(|(_, value)| value).collect() }
    }

    /// The columns of a table that say what pages of other kinds say too: the same few texts again and again.
    pub(super) fn columns(&self, sheets: &Sheets, wrapper: &Wrapper, table: usize) -> FxHashSet<usize> {
        let (sheet, info) = (&sheets.tables[table], &wrapper.schema.tables[table]);
        let pages = match info.is_list() {
            true => {
                let on = |at: usize| sheets.pages[at].page_type;
                let kinds: FxHashSet<usize> = sheet.rows.iter().map(|row| on(row.0)).collect();
                sheets.pages.iter().filter(|page| kinds.contains(&page.page_type)).count()
            }
            false => sheet.rows.len(),
        };
        let is_wide = |&column: &usize| {
            let about = &info.columns[column];
            if about.value_type != ValueType::Text {
                return false;
            }
            let counts = sheet.counts(column);
            let filled: usize = counts.values().sum();
            let on: FxHashSet<usize> = sheet.column(column).map(|(row, _)| sheet.rows[row].0).collect();
            let is_whim = 2 * on.len() < pages && (about.label.is_none() || info.is_list());
            let kinds = if is_whim { KINDS_OF_A_WHIM } else { KINDS };
            let rows = sheet.column(column).take(FEWEST);
            let texts: Vec<&str> = rows.filter_map(|(row, _)| sheets.text(table, row, column)).collect();
            let letters: usize = texts.iter().map(|text| text.chars().count()).sum();
            if letters < LETTERS * texts.len() {
                return false;
            }
            let said = |value: &&u64| {
                !self.names.contains(*value) && self.kinds.get(*value).is_some_and(|seen| seen.len() >= kinds)
            };
            let wide = counts.keys().filter(said).count();
            let recurs = filled < FEWEST || 2 * counts.len() <= filled;
            2 * wide > counts.len() && (recurs || wide as f64 >= ALL * counts.len() as f64)
        };
        let wide: FxHashSet<usize> = (0..sheet.columns).filter(is_wide).collect();
        // With a text goes the link that it stands in.
        let links = (0..sheet.columns).filter(|&link| {
            info.columns[link].selector.strip_suffix(" @href").is_some_and(|step| {
                wide.iter().any(|&text| {
                    let rest = info.columns[text].selector.strip_prefix(step);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" > "))
                })
            })
        });
        links.chain(wide.iter().copied()).collect()
    }
}
