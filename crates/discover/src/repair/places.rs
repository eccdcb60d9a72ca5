//! A list that stands in several places now: the first of it apart from the others, or each row for itself.

use std::cmp::Reverse;

use super::align::{Found, judge};
use super::values::{COMPARED_ROWS, Pair, Place, overlap};

/// A place adds rows that are not of the list when more than this share of its values are others.
const OTHERS: f64 = 0.05;

/// New tables that are tried for one old list: a page shows some tens of rows.
const TRIED: usize = 60;

/// Finds the new lists that show an old one together, and what is found of each of its columns then. `matches` gives the
/// columns of a new table that have some value of an old column.
///
/// # What it does
/// Takes the new tables by how many known values they show and nothing else, as long as each adds some that were not there
/// yet and hardly any that are not known.
/// # Assumes
/// Rows of the list stand in one place each.
/// # When it fails
/// Lists that are known by their first rows only are not judged by what is too much.
/// # Paper
/// Ours.
pub(super) fn several_places(
    pages: &[&Pair],
    table: usize,
    columns: usize,
    candidates: Vec<usize>,
    matches: &dyn Fn(usize, usize) -> Vec<usize>,
) -> Option<(Vec<usize>, Vec<Found>)> {
    let mut ranked: Vec<(usize, usize, Vec<Option<Place>>)> = Vec::new();
    for candidate in candidates {
        let mut shows: Vec<Option<Place>> = Vec::new();
        let mut gain = 0;
        for column in 0..columns {
            let best = matches(column, candidate)
                .into_iter()
                .map(|other| (count(pages, (table, column), &[(candidate, other)]), other))
                .filter(|(count, _)| count.is_of_the_list())
                .max_by_key(|(count, other)| (count.known, Reverse(*other)));
            gain += best.as_ref().map_or(0, |(count, _)| count.known);
            shows.push(best.map(|(_, other)| (candidate, other)));
        }
        if gain > 0 {
            ranked.push((gain, candidate, shows));
        }
    }
    ranked.sort_by_key(|(gain, candidate, _)| (Reverse(*gain), *candidate));
    let mut tables: Vec<usize> = Vec::new();
    let mut shown_by: Vec<Vec<Place>> = vec![Vec::new(); columns];
    let mut so_far: Vec<Count> = vec![Count::default(); columns];
    for (_, candidate, shows) in ranked.into_iter().take(TRIED) {
        let mut with = Vec::new();
        let (mut added, mut others) = (0, 0);
        for column in 0..columns {
            let mut places = shown_by[column].clone();
            places.extend(shows[column]);
            let count = count(pages, (table, column), &places);
            added += count.known - so_far[column].known;
            others += count.others - so_far[column].others;
            with.push((places, count));
        }
        if added > 0 && others as f64 <= OTHERS * added as f64 {
            tables.push(candidate);
            (shown_by, so_far) = with.into_iter().unzip();
        }
    }
    let found = shown_by.into_iter().enumerate();
    let found = found.map(|(column, places)| judge(pages, (table, column), places)).collect();
    (tables.len() > 1).then_some((tables, found))
}

/// Values that new columns give on the pages of an old one.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    known: usize,
    others: usize,
}

impl Count {
    fn is_of_the_list(self) -> bool {
        self.known > 0 && self.others as f64 <= OTHERS * (self.known + self.others) as f64
    }
}

fn count(pages: &[&Pair], old: Place, new: &[Place]) -> Count {
    let mut count = Count::default();
    for pair in pages {
        let given: Vec<u64> = new.iter().filter_map(|at| pair.new.get(at)).flatten().copied().collect();
        let known = pair.known.get(&old).map_or(&[][..], Vec::as_slice);
        let same = overlap(known, &given);
        count.known += same;
        if known.len() < COMPARED_ROWS {
            count.others += given.len() - same;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::values::PageValues;

    fn page(known: &[u64], new: &[(usize, &[u64])]) -> Pair {
        let mut values = PageValues::default();
        values.extend(new.iter().map(|(table, values)| ((*table, 0), values.to_vec())));
        Pair {
            page_type: 0,
            address: 0,
            known: PageValues::from_iter([((0, 0), known.to_vec())]),
            new: values,
            lost: Default::default(),
            known_as_written: PageValues::default(),
            new_as_written: PageValues::default(),
        }
    }

    #[test]
    fn the_first_row_may_stand_apart() {
        let pages = [
            page(&[1, 2, 3], &[(5, &[1]), (6, &[2, 3]), (7, &[1, 9])]),
            page(&[4, 5], &[(5, &[4]), (6, &[5])]),
        ];
        let pages: Vec<&Pair> = pages.iter().collect();
        let (tables, found) =
            several_places(&pages, 0, 1, vec![5, 6, 7], &|_, _| vec![0]).unwrap_or_default();
        assert_eq!(tables, [6, 5], "a list that shows others too is left alone");
        assert_eq!(found[0].shown_by, [(6, 0), (5, 0)]);
        assert_eq!((found[0].agreed, found[0].compared), (2, 2));
    }

    #[test]
    fn one_place_is_nothing_new() {
        let pages = [page(&[1, 2, 3], &[(5, &[1, 2, 3]), (6, &[1, 2])])];
        let pages: Vec<&Pair> = pages.iter().collect();
        assert!(several_places(&pages, 0, 1, vec![5, 6], &|_, _| vec![0]).is_none());
    }
}
