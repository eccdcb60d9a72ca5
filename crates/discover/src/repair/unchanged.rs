//! What a repair leaves as it was: page types that have not changed or were not looked at, and what is known of columns
//! that were not found again.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::profile::{ColumnProfile, SiteProfile};
use unsite_wrapper::{
    ClassMap, KnownPage, KnownRow, PageMarks, SavedWrapper, Training, Wrapper, family, raw_names,
};

use super::align::ColumnProof;
use super::state::{States, TypeState};
use crate::induce::{learn_recogniser, marks_of};
use crate::site::Site;

/// The links that most pages share are those of the changed site when this share of the pages that were learned from is of
/// types that have changed.
const MOST_CHANGED: f64 = 0.5;

/// Which pages and page types are as they were. Page types stand at the places that they have now.
pub(super) struct Unchanged<'r> {
    pub(super) old: &'r SavedWrapper,
    pub(super) states: &'r States,
    /// The type of each page.
    pub(super) type_of: &'r [usize],
}

impl Unchanged<'_> {
    /// Is everything about this page type as it was?
    pub(super) fn is_type(&self, page_type: usize) -> bool {
        self.states.of_type.get(page_type).is_some_and(|state| state.is_as_it_was())
    }

    fn any(&self) -> bool {
        self.states.of_type.iter().any(|state| state.is_as_it_was())
    }

    /// For each page, whether something is learned from it.
    pub(super) fn learned_from(&self) -> Vec<bool> {
        self.type_of.iter().map(|&page_type| !self.is_type(page_type)).collect()
    }

    /// How pages are recognised: page types that are as they were by what they were recognised by.
    pub(super) fn recognise(&self, site: &Site, wrapper: &mut Wrapper) {
        if !self.any() {
            return;
        }
        let old = &self.old.wrapper;
        wrapper.classes = self.class_names(site, &wrapper.classes);
        let marks = marks_of(site, &wrapper.classes);
        let types = wrapper.types.len();
        let is_fresh: Vec<bool> = (0..types).map(|at| !self.is_type(at)).collect();
        let fits = |page: &usize| {
            let page_type = self.type_of[*page];
            let fits = self.states.of_type.get(page_type) == Some(&TypeState::Fits);
            fits && self.states.recognised[*page] == Some(page_type)
        };
        let (fresh, others): (Vec<usize>, Vec<usize>) =
            (0..site.pages.len()).partition(|&page| is_fresh[self.type_of[page]]);
        let fitting: Vec<usize> = others.into_iter().filter(fits).collect();
        let of = |pages: &[usize]| -> (Vec<PageMarks>, Vec<usize>) {
            pages.iter().map(|&page| (marks[page].clone(), self.type_of[page])).unzip()
        };
        let (fresh_marks, fresh_types) = of(&fresh);
        let learned = learn_recogniser(site, &wrapper.classes, (&fresh, &fresh_marks, &fresh_types), types);
        let looked_at = [fresh.as_slice(), &fitting].concat();
        let (all_marks, all_types) = of(&looked_at);
        wrapper.recogniser = old.recogniser.renewed(&learned, &all_marks, &all_types, &is_fresh);
        let mut training = old.training.renumbered(|at| self.is_type(at).then_some(at));
        training
            .add(Training::new(looked_at.iter().map(|&page| (&site.pages[page].raw, self.type_of[page]))));
        wrapper.training = training;
        let pages = |changed: bool| -> f64 {
            let types = old.recogniser.pages.iter().enumerate();
            types.filter(|(at, _)| !changed || is_fresh[*at]).map(|(_, &pages)| f64::from(pages)).sum()
        };
        if pages(true) < MOST_CHANGED * pages(false) {
            wrapper.frame.clone_from(&old.frame);
        }
        wrapper.search_fields.extend(old.search_fields.iter().cloned());
        wrapper.search_fields.sort_unstable();
        wrapper.search_fields.dedup();
    }

    /// The old class names, and those new ones that are on no page which is as it was: these are recognised as before.
    fn class_names(&self, site: &Site, new: &ClassMap) -> ClassMap {
        let names_of = |page: usize| -> BTreeSet<String> {
            let tree = &site.pages[page].tree;
            let names =
                tree.nodes().filter(|&node| tree.is_element(node)).flat_map(|node| raw_names(tree, node));
            names.flat_map(|name| [family(&name).map(str::to_owned), Some(name)]).flatten().collect()
        };
        let as_it_was = |page: &usize| self.is_type(self.type_of[*page]);
        let pages = (0..site.pages.len()).into_par_iter().filter(as_it_was);
        let there = pages.map(names_of).reduce(BTreeSet::new, |mut names, more| {
            names.extend(more);
            names
        });
        self.old.wrapper.classes.with(new, |name| !there.contains(name))
    }

    /// Tables that are only on pages which are as they were are as they were.
    pub(super) fn restore_tables(&self, wrapper: &mut Wrapper) {
        for (now, was) in wrapper.schema.tables.iter_mut().zip(&self.old.wrapper.schema.tables) {
            let keeps = |page_type: &usize| self.is_type(*page_type);
            if was.also_on.iter().chain([&was.page_type]).all(keeps) {
                now.clone_from(was);
            }
        }
    }

    /// Adds what was known of the page types that are as they were to what is known of the others.
    pub(super) fn remember(&self, saved: &mut SavedWrapper) {
        let old = self.old;
        let pages_of =
            |profile: &SiteProfile, at: usize| profile.types.get(at).map_or(0, |known| known.pages);
        let mut kept = 0;
        for at in (0..old.profile.types.len()).filter(|&at| self.is_type(at)) {
            saved.profile.types[at].clone_from(&old.profile.types[at]);
            kept += pages_of(&old.profile, at);
        }
        let strange = f64::from(old.profile.strangers) / f64::from(old.profile.pages.max(1));
        saved.profile.pages += kept;
        saved.profile.strangers += (strange * f64::from(kept)).round() as u32;
        saved.known.extend(old.known.iter().filter(|page| self.is_type(page.page_type)).cloned());
        saved.known.sort_by_key(|page| page.page_type);
    }
}

/// Keeps the known values of columns that were not found again, and what they looked like: a later repair may find them.
/// `types_of` are the page types, at the places they have now, that each of the columns was looked for on.
pub(super) fn keep_values_of_lost_columns(
    old: &SavedWrapper,
    saved: &mut SavedWrapper,
    columns: &[ColumnProof],
    types_of: &[Vec<usize>],
) {
    let (mut proved, mut lost) = (BTreeSet::new(), BTreeSet::new());
    for (column, types) in columns.iter().zip(types_of) {
        let keys = types.iter().map(|&at| (at, column.table.clone(), column.column.clone()));
        if column.is_proved() { &mut proved } else { &mut lost }.extend(keys);
    }
    lost.retain(|key: &(usize, String, String)| !proved.contains(key));
    if lost.is_empty() {
        return;
    }
    let mut places: FxHashMap<(String, usize), usize> = FxHashMap::default();
    for (at, page) in saved.known.iter().enumerate() {
        places.entry((page.url.clone(), page.page_type)).or_insert(at);
    }
    for page in &old.known {
        // The page may be of another part of its old type now.
        let page_type = saved.wrapper.training.type_at(&page.url).unwrap_or(page.page_type);
        let mut values: BTreeMap<String, Vec<KnownRow>> = BTreeMap::new();
        for (table, rows) in page.lost.iter().chain(&page.rows) {
            for row in rows {
                let is_lost = |column: &String| lost.contains(&(page_type, table.clone(), column.clone()));
                let kept: KnownRow = row
                    .iter()
                    .filter(|(column, _)| is_lost(column))
                    .map(|(c, v)| (c.clone(), v.clone()))
                    .collect();
                if !kept.is_empty() {
                    values.entry(table.clone()).or_default().push(kept);
                }
            }
        }
        if values.is_empty() {
            continue;
        }
        match places.get(&(page.url.clone(), page_type)) {
            Some(&at) => saved.known[at].lost = values,
            None => saved.known.push(KnownPage {
                url: page.url.clone(),
                page_type,
                rows: BTreeMap::new(),
                lost: values,
            }),
        }
    }
    saved.known.sort_by_key(|page| page.page_type);
    for (page_type, table, column) in &lost {
        let place = old.wrapper.schema.tables.iter().enumerate().find_map(|(at, info)| {
            let column = info.columns.iter().position(|info| info.name == *column)?;
            (info.name == *table).then_some((at, column))
        });
        let Some((table, column)) = place else { continue };
        let was = old.profile.types.get(*page_type).and_then(|known| known.tables.get(&table));
        let was = was.and_then(|table| table.columns.get(&column));
        let now = saved.profile.types[*page_type].tables.get_mut(&table);
        if let (Some(was), Some(now)) = (was, now.and_then(|table| table.columns.get_mut(&column))) {
            let filled = std::mem::take(&mut now.filled);
            *now = ColumnProfile { filled, ..was.clone() };
        }
    }
}
