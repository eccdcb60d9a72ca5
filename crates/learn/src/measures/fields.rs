//! How well columns serve labelled fields: target-cluster scores by value, and SWDE's measure by page.

use super::Prf;
use super::text_match::same;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

/// The score of one labelled field and the column that earned it; no column means nothing matched.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldScore<C> {
    /// Precision, recall, F1 of the best column.
    pub prf: Prf,
    /// The column that serves the field best.
    pub column: Option<C>,
}

/// The distinct (page, value) cells of every column, indexed so that many fields can be scored.
///
/// Columns keep the order in which they first appear, which settles ties of the page measure.
#[derive(Debug, Clone)]
pub struct Columns<C, P, V> {
    columns: Vec<(C, BTreeSet<(P, V)>)>,
    holders: FxHashMap<(P, V), Vec<u32>>,
}

impl<C, P, V> Columns<C, P, V>
where
    C: Ord + Clone + Hash,
    P: Ord + Clone + Hash,
    V: Ord + Clone + Hash,
{
    /// Groups cells `(column, page, value)` by column.
    pub fn new(cells: impl IntoIterator<Item = (C, P, V)>) -> Self {
        let mut columns: Vec<(C, BTreeSet<(P, V)>)> = Vec::new();
        let mut number: FxHashMap<C, usize> = FxHashMap::default();
        let mut holders: FxHashMap<(P, V), Vec<u32>> = FxHashMap::default();
        for (column, page, value) in cells {
            let id = *number.entry(column).or_insert_with_key(|name| {
                columns.push((name.clone(), BTreeSet::new()));
                columns.len() - 1
            });
            let cell = (page, value);
            if columns[id].1.insert(cell.clone()) {
                holders.entry(cell).or_default().push(id as u32);
            }
        }
        Columns { columns, holders }
    }

    /// Number of columns with at least one cell.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// True when no column has a cell.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Target-cluster precision, recall and F1 of one labelled field, on the level of values.
    ///
    /// # What it does
    /// Takes the column that holds most of the labelled (page, value) cells; of several, the one with the fewest cells
    /// on the labelled pages, then the lowest name. `P = overlap / its cells on labelled pages`, `R = overlap / labelled`.
    /// # Assumes
    /// Values are normalised the same way on both sides ([`super::text_match::norm`]). A column may serve several fields.
    /// # When it fails
    /// It sees the labels to choose the column, so it measures discovery, not naming.
    /// # Paper
    /// Gazen 2008 (CONFHEX), section on measures.
    pub fn target_cluster(&self, target: &BTreeSet<(P, V)>) -> FieldScore<C> {
        let mut overlap = vec![0usize; self.columns.len()];
        for cell in target {
            for &column in self.holders.get(cell).into_iter().flatten() {
                overlap[column as usize] += 1;
            }
        }
        let most = overlap.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return FieldScore { prf: Prf::default(), column: None };
        }
        let pages: BTreeSet<&P> = target.iter().map(|(page, _)| page).collect();
        let best = (0..self.columns.len())
            .filter(|&id| overlap[id] == most)
            .map(|id| {
                let (name, cells) = &self.columns[id];
                (cells.iter().filter(|(page, _)| pages.contains(page)).count(), name)
            })
            .min();
        match best {
            Some((returned, name)) => FieldScore {
                prf: Prf::from_counts(most, returned.max(1), target.len()),
                column: Some(name.clone()),
            },
            None => FieldScore { prf: Prf::default(), column: None },
        }
    }

    /// How many columns a person must point at to get a labelled field: the one that holds most of its cells, then
    /// whichever adds most of the rest, until none adds `least` of the cells. 0 when nothing was found.
    pub fn pointed_at(&self, target: &BTreeSet<(P, V)>, least: f64) -> usize {
        let enough = ((target.len() as f64 * least).ceil() as usize).max(1);
        let mut rest: Vec<&(P, V)> = target.iter().collect();
        let mut times = 0;
        loop {
            let mut overlap: FxHashMap<u32, usize> = FxHashMap::default();
            for &column in rest.iter().filter_map(|cell| self.holders.get(*cell)).flatten() {
                *overlap.entry(column).or_default() += 1;
            }
            let best = overlap.into_iter().max_by_key(|&(column, count)| (count, std::cmp::Reverse(column)));
            let Some((column, _)) = best.filter(|(_, count)| *count >= enough) else { return times };
            rest.retain(|cell| !self.holders.get(*cell).is_some_and(|holders| holders.contains(&column)));
            times += 1;
        }
    }

    /// SWDE's own measure: a page is right when all that the column gives on it is among the page's labelled values.
    ///
    /// # What it does
    /// For each column, over the labelled pages: `P = right pages / pages with a cell`, `R = right pages / labelled
    /// pages`; the column with the highest F1 wins, the first one among equals. Values agree by
    /// [`super::text_match::same`].
    /// # Assumes
    /// Values normalised by [`super::text_match::norm`] on both sides.
    /// # When it fails
    /// One value of a list is enough for a page to be right; the value measure sees what is missing.
    /// # Paper
    /// Hao, Cai, Pang, Zhang 2011 (SWDE).
    pub fn page_protocol(&self, target: &BTreeSet<(P, V)>) -> FieldScore<C>
    where
        V: AsRef<str>,
    {
        let mut labelled: BTreeMap<&P, Vec<&str>> = BTreeMap::new();
        for (page, value) in target {
            labelled.entry(page).or_default().push(value.as_ref());
        }
        let mut best = FieldScore { prf: Prf::default(), column: None };
        for (name, cells) in &self.columns {
            let (mut seen, mut right) = (0, 0);
            // Cells are sorted, so the cells of a page stand together.
            let mut rest = cells.iter().peekable();
            while let Some((page, first)) = rest.next() {
                let wanted = labelled.get(page);
                let fits = |v: &V| wanted.is_some_and(|ws| ws.iter().any(|w| same(v.as_ref(), w)));
                let mut all_fit = fits(first);
                while let Some((_, value)) = rest.next_if(|(other, _)| other == page) {
                    all_fit = all_fit && fits(value);
                }
                if wanted.is_some() {
                    seen += 1;
                    right += usize::from(all_fit);
                }
            }
            let prf = Prf::from_counts(right, seen, labelled.len());
            if prf.f1 > best.prf.f1 {
                best = FieldScore { prf, column: Some(name.clone()) };
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[(&str, &str)]) -> BTreeSet<(String, String)> {
        cells.iter().map(|&(p, v)| (p.to_string(), v.to_string())).collect()
    }

    fn columns(cells: &[(&str, &str, &str)]) -> Columns<String, String, String> {
        Columns::new(cells.iter().map(|&(c, p, v)| (c.to_string(), p.to_string(), v.to_string())))
    }

    #[test]
    fn the_column_with_most_values_wins_then_the_smallest() {
        let found = columns(&[
            ("big", "p1", "a"),
            ("big", "p2", "b"),
            ("big", "p1", "junk"),
            ("big", "p9", "elsewhere"),
            ("small", "p1", "a"),
            ("small", "p2", "b"),
            ("small", "p2", "b"),
            ("one", "p1", "a"),
        ]);
        let score = found.target_cluster(&set(&[("p1", "a"), ("p2", "b"), ("p3", "c")]));
        assert_eq!(score.column.as_deref(), Some("small"));
        assert_eq!(score.prf, Prf::from_counts(2, 2, 3));
        assert_eq!(found.target_cluster(&set(&[("p7", "z")])).column, None);
        // Cells on pages without a label cost nothing.
        let only_big = columns(&[("big", "p1", "a"), ("big", "p1", "junk"), ("big", "p9", "elsewhere")]);
        assert_eq!(only_big.target_cluster(&set(&[("p1", "a")])).prf, Prf::from_counts(1, 2, 1));
    }

    #[test]
    fn the_name_settles_equal_columns() {
        let found = columns(&[("z", "p", "v"), ("b", "p", "v")]);
        assert_eq!(found.target_cluster(&set(&[("p", "v")])).column.as_deref(), Some("b"));
        assert_eq!(found.page_protocol(&set(&[("p", "v")])).column.as_deref(), Some("z"));
    }

    #[test]
    fn a_page_is_right_when_everything_on_it_is_labelled() {
        let found = columns(&[
            ("t", "p1", "Pride"),
            ("t", "p1", "Prejudice"),
            ("t", "p2", "Emma"),
            ("t", "p2", "junk"),
            ("t", "p9", "x"),
            ("u", "p3", "Phone"),
        ]);
        let gold = set(&[("p1", "Pride"), ("p1", "Prejudice"), ("p2", "Emma"), ("p3", "Persuasion")]);
        let score = found.page_protocol(&gold);
        assert_eq!(score.prf, Prf::from_counts(1, 2, 3));
        assert_eq!(found.page_protocol(&set(&[])).column, None);
    }
}
