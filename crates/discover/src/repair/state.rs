//! What became of each old page type: does it still fit, is it still read, or has it to be learned anew?

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::drift::{Revisited, compare};
use unsite_wrapper::profile::Profiler;
use unsite_wrapper::structure::structure;
use unsite_wrapper::{PageRecord, SavedWrapper};

use super::align::{DIFFERENT_VALUES, SAME_RECORD, SAME_VALUES};
use super::values::{PageValues, Place, agree, known_values, new_values, normal, says_nothing};
use crate::site::Site;

/// Fewer pages of a type prove nothing, where more were learned from.
pub(super) const FEW_PAGES: usize = 5;

/// So many pages would have shown a drift: where there is none, other values are news and not another template.
const MANY_PAGES: usize = 20;

/// A type's pages are still recognised when at most this share of them is not: what `check` does not notice either.
const UNRECOGNISED: f64 = 0.1;

/// On a site without any drift, a type with few pages is as it was when this share of its known values is still read: lists
/// of news change.
const READ_STILL: f64 = 0.5;

/// What became of a page type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeState {
    /// The source has no page of it: it is as it was.
    NotLookedAt,
    /// The source has too few pages of it to prove anything: it is as it was.
    TooFewPages,
    /// Its pages are as they were: it is as it was.
    Fits,
    /// Its pages look another way, and its template still reads all that is known of them: it is recognised anew.
    StillRead,
    /// It was learned anew.
    Relearned,
}

impl TypeState {
    /// Does it keep its template?
    pub fn is_kept(self) -> bool {
        self != TypeState::Relearned
    }

    /// Is everything about it as it was?
    pub fn is_as_it_was(self) -> bool {
        !matches!(self, TypeState::Relearned | TypeState::StillRead)
    }

    /// The words for people.
    pub fn told(self) -> &'static str {
        match self {
            TypeState::NotLookedAt => "not looked at: no page in the source",
            TypeState::TooFewPages => "as it was: too few pages in the source to prove anything",
            TypeState::Fits => "as it was: its pages have not changed",
            TypeState::StillRead => {
                "its template still reads what is known; how it is recognised was learned anew"
            }
            TypeState::Relearned => "learned anew",
        }
    }

    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            TypeState::NotLookedAt => "not_looked_at",
            TypeState::TooFewPages => "too_few_pages",
            TypeState::Fits => "fits",
            TypeState::StillRead => "still_read",
            TypeState::Relearned => "relearned",
        }
    }
}

/// The old page types on the pages of a source.
pub(super) struct States {
    /// Of each old type.
    pub(super) of_type: Vec<TypeState>,
    /// Pages of each old type in the source.
    pub(super) pages: Vec<usize>,
    /// For each page the old type that it has: at its address, or recognised as one that has not changed.
    pub(super) known: Vec<Option<usize>>,
    /// For each page what the old wrapper takes it for.
    pub(super) recognised: Vec<Option<usize>>,
    /// For each column and type with known values on the pages: on how many, and on how many the old template reads them.
    pub(super) read: BTreeMap<(usize, Place), (usize, usize)>,
    /// Known records of each type on the pages, and how many of them the old template still reads.
    pub(super) records: Vec<(usize, usize)>,
}

impl States {
    /// Looks at the pages through the old wrapper, as `check` does, and compares what it reads with what is known.
    pub(super) fn of(site: &Site, old: &SavedWrapper) -> Self {
        let wrapper = &old.wrapper;
        let types = wrapper.types.len();
        let reader = wrapper.reader();
        let seen: Vec<(PageRecord, Vec<_>)> = site
            .pages
            .par_iter()
            .map(|page| {
                let record = reader.read_new(&page.raw, &page.tree, &page.cuts);
                let known = |mark: u64| old.profile.knows(record.page_type, mark);
                let marks = structure(&page.tree, &wrapper.classes, known);
                (record, marks)
            })
            .collect();
        let recognised: Vec<Option<usize>> = seen.iter().map(|(record, _)| record.page_type).collect();
        let at_address: Vec<Option<usize>> = site
            .pages
            .iter()
            .zip(&recognised)
            .map(|(page, now)| {
                let before = wrapper.training.types_at(&page.raw.url);
                now.filter(|now| before.contains(now)).or(before.first().copied())
            })
            .collect();
        let mut profiler = Profiler::against(wrapper, &old.profile);
        let mut revisited = Revisited::default();
        for (record, marks) in &seen {
            revisited.page(&wrapper.training, record);
            profiler.page(record, 0, 1);
            profiler.structure(record.page_type, marks, 0, 1);
        }
        let findings = compare(&wrapper.schema, &old.profile, &profiler.finish(), revisited);
        let (mut pages, mut at, mut missed) = (vec![0; types], vec![0; types], vec![0; types]);
        for (known, now) in at_address.iter().zip(&recognised) {
            if let Some(page_type) = known.or(*now) {
                pages[page_type] += 1;
            }
            if let Some(page_type) = *known {
                at[page_type] += 1;
                missed[page_type] += usize::from(*now != Some(page_type));
            }
        }
        let mut states = States {
            of_type: Vec::new(),
            pages,
            known: Vec::new(),
            recognised,
            read: BTreeMap::new(),
            records: vec![(0, 0); types],
        };
        let different = states.compare_known(site, old);
        let quiet = findings.is_empty() && states.recognised.iter().all(Option::is_some);
        for page_type in 0..types {
            let name = &wrapper.schema.page_types[page_type].name;
            let told = findings.iter().any(|finding| finding.page_type.as_ref() == Some(name));
            let drifted = told || missed[page_type] as f64 > UNRECOGNISED * at[page_type] as f64;
            let learned_from = wrapper.recogniser.pages[page_type] as usize;
            let enough = different[page_type] >= DIFFERENT_VALUES;
            let state = states.judge(page_type, drifted, quiet, enough, learned_from);
            states.of_type.push(state);
        }
        let fits = |at: &usize| states.of_type[*at] == TypeState::Fits;
        states.known =
            at_address.iter().zip(&states.recognised).map(|(at, now)| at.or(now.filter(fits))).collect();
        states
    }

    fn judge(&self, at: usize, drifted: bool, quiet: bool, enough: bool, learned_from: usize) -> TypeState {
        let pages = self.pages[at];
        let columns = || self.read.range((at, (0, 0))..(at + 1, (0, 0))).map(|(_, counts)| *counts);
        let all_read = columns().all(|(compared, agreed)| agreed as f64 >= SAME_VALUES * compared as f64);
        let (compared, agreed) = columns().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let most_read = agreed as f64 >= READ_STILL * compared as f64;
        match () {
            () if pages == 0 => TypeState::NotLookedAt,
            () if !drifted && (all_read || pages >= MANY_PAGES || (quiet && most_read)) => TypeState::Fits,
            () if all_read && enough => TypeState::StillRead,
            () if pages < FEW_PAGES && (quiet || pages < learned_from) => TypeState::TooFewPages,
            () => TypeState::Relearned,
        }
    }

    /// Compares what the old template reads with what is known; returns how many different known values each type has.
    fn compare_known(&mut self, site: &Site, old: &SavedWrapper) -> Vec<usize> {
        let at_address: FxHashMap<&str, usize> =
            site.pages.iter().enumerate().map(|(at, page)| (page.raw.url.as_str(), at)).collect();
        let reader = old.wrapper.reader();
        let pairs: Vec<(usize, PageValues, PageValues)> = old
            .known
            .par_iter()
            .filter(|known| !known.rows.is_empty())
            .filter_map(|known| {
                let page = &site.pages[*at_address.get(known.url.as_str())?];
                let record = reader.read(&page.raw, &page.tree, &[], Some(known.page_type));
                Some((known.page_type, known_values(old, &known.rows, normal), new_values(&record, normal)))
            })
            .collect();
        let mut different: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); self.pages.len()];
        for (page_type, known, new) in &pairs {
            let mut again = 0;
            for (place, values) in known {
                let given = new.get(place).map_or(&[][..], Vec::as_slice);
                let agrees = agree(values, given);
                again += usize::from(agrees);
                if agrees || !says_nothing(values, given) {
                    let (compared, agreed) = self.read.entry((*page_type, *place)).or_default();
                    *compared += 1;
                    *agreed += usize::from(agrees);
                }
                if agrees {
                    different[*page_type].extend(values);
                }
            }
            if !known.is_empty() {
                let (records, found) = &mut self.records[*page_type];
                *records += 1;
                *found += usize::from(again as f64 >= SAME_RECORD * known.len() as f64);
            }
        }
        different.iter().map(BTreeSet::len).collect()
    }
}
