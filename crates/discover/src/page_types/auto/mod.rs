//! The default method: experts judge pairs of a bounded number of pages, all others follow in constant time.

mod links;
mod readings;
mod sample;
mod training;
mod why;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_learn::correlation::PairScores;
use unsite_wrapper::ClassMap;

use super::naming::{NamedType, name_types};
use super::{Options, renumber};
use crate::evidence::{Calibrated, Model};
use crate::experts::{InLink, PageView, position};
use crate::site::Site;
use crate::vocabulary::class_map;
use readings::{Reading, Readings};

pub use training::{GoldTypes, train, training_pairs};
pub use why::{Opinion, Why};

/// Pages of each type that a further page is compared with.
const EXEMPLARS: usize = 3;

/// Types that a further page is compared with in full; the others are ruled out by their first exemplar.
const CANDIDATES: usize = 3;

/// A page that is less like its nearest type than this (log-odds) fits nothing. Lower than 0, the border between two
/// types, because a page that nothing else is like is more often an odd page of a known type than a new type.
const FITS_NOTHING: f64 = -4.0;

/// A type is large beside pages that it has this many times as many of. Chosen by hand after one labelled site of a single
/// type, where two of 150 pages are odd.
const ODD_PAGES: usize = 40;

/// Addresses that differ in data alone score at least this.
const SAME_ADDRESS: f64 = 0.95;

/// Pages named as most typical and as most doubtful.
const SHOWN_PAGES: usize = 3;

/// A label for each page.
pub(super) fn cluster(site: &Site, options: &Options) -> Vec<usize> {
    Typing::of(site, options).type_of
}

/// The page types of a site, with everything needed to explain them and to recognise further pages.
///
/// # What it does
/// Reads a bounded sample of the pages with every expert that is switched on, turns the scores of all pairs of the
/// sample into log-odds with a trained model, and takes the clustering that maximises the sum of log-odds within
/// types (CONFHEX). Every other page is read once and put to the type whose exemplars it is most like. Linear in the
/// pages: the sample and the exemplars are bounded.
/// # Assumes
/// Nothing about the site. Types are what its own templates and routes tell apart.
/// # When it fails
/// Kinds of pages that share route, template and words are one type; a template with large optional parts under
/// several routes may be two. A type that no page of the sample has is found only if it fits nothing else.
/// # Paper
/// Gazen 2008 (CONFHEX), with experts after THOR, KeyClus and the Fourier similarity.
pub struct Typing {
    /// For each page of the site, its type.
    pub type_of: Vec<usize>,
    /// What there is to say about each type.
    pub types: Vec<TypeSummary>,
    classes: ClassMap,
    readings: Readings,
    /// For each type, places in the readings: the most typical pages.
    exemplars: Vec<Vec<usize>>,
    links: Vec<Vec<InLink>>,
    model: Calibrated,
    on: Vec<bool>,
}

/// One page type, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeSummary {
    /// A name people understand.
    pub name: String,
    /// The addresses of its pages, `*` for what varies.
    pub url_pattern: String,
    /// How many pages it has.
    pub pages: usize,
    /// How surely its pages belong together and apart from others, 0 to 1.
    pub confidence: f64,
    /// The pages that are most like the others of the type, best first.
    pub typical: Vec<usize>,
    /// The pages that are least surely of the type, worst first.
    pub doubtful: Vec<usize>,
}

impl Typing {
    /// Finds the page types of a site.
    pub fn of(site: &Site, options: &Options) -> Self {
        let trees: Vec<&Tree> = site.pages.iter().map(|page| &page.tree).collect();
        let classes = class_map(&trees);
        let on = options.experts_on();
        let model = match &options.model {
            Some(model) => model.calibrate(&on),
            None => Model::built_in().calibrate(&on),
        };
        let links = links::in_links(site, &classes);
        let sample = sample::prototypes(site);
        let readings = Readings::of(site, &sample, &classes, &links, &on);
        let pairs = pair_log_odds(&readings, &model);
        let labels = PairScores::new(sample.len(), pairs.iter().copied()).cluster();
        let labels = join_odd_pages(&readings, &on, &labels);
        let count = labels.iter().max().map_or(0, |&label| label as usize + 1);
        let belonging = belonging(&pairs, &labels, count);
        let mut typing = Typing {
            type_of: Vec::new(),
            types: Vec::new(),
            classes,
            exemplars: exemplars(&belonging, &labels, count),
            readings,
            links,
            model,
            on,
        };
        let (type_of, margins) = typing.assign_all(site, &sample, &labels, &belonging);
        typing.summarise(site, type_of, &margins);
        typing
    }

    /// The type of a page that was not there when the types were found, with the log-odds of belonging to it; `None`
    /// where it fits nothing. Constant time: the page against a few exemplars.
    pub fn classify(&self, url: &str, tree: &Tree) -> Option<(usize, f64)> {
        let reading = self
            .readings
            .settled(readings::read_page(&PageView::new(url, tree, &self.classes, &[]), &self.on));
        self.nearest(&reading).first().copied().filter(|&(_, odds)| odds > FITS_NOTHING)
    }

    /// The log-odds that two pages of the site are of one type.
    pub fn log_odds(&self, site: &Site, a: usize, b: usize) -> f64 {
        let read = |page| self.read(site, page);
        self.readings.log_odds(&self.model, &read(a), &read(b))
    }

    fn read(&self, site: &Site, page: usize) -> Reading {
        self.readings.settled(readings::read(site, page, &self.classes, &self.links, &self.on))
    }

    /// The types that a page may be of, best first, with the mean log-odds against their exemplars.
    fn nearest(&self, reading: &Reading) -> Vec<(usize, f64)> {
        let against = |at: usize| self.readings.log_odds(&self.model, reading, &self.readings.pages[at]);
        let mut types: Vec<(usize, f64)> = self
            .exemplars
            .iter()
            .enumerate()
            .filter_map(|(page_type, pages)| Some((page_type, against(*pages.first()?))))
            .collect();
        let best_first = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        types.sort_by(best_first);
        types.truncate(CANDIDATES);
        for (page_type, odds) in &mut types {
            let pages = &self.exemplars[*page_type];
            *odds = (*odds + pages[1..].iter().map(|&at| against(at)).sum::<f64>()) / pages.len() as f64;
        }
        types.sort_by(best_first);
        types
    }

    /// Types and margins of all pages: those of the sample as clustered, the others by their nearest type. Pages that
    /// fit nothing are types of their own, one for each kind of address.
    fn assign_all(
        &self,
        site: &Site,
        sample: &[usize],
        labels: &[u32],
        belonging: &[Vec<f64>],
    ) -> (Vec<usize>, Vec<f64>) {
        let mut place_of: Vec<Option<usize>> = vec![None; site.pages.len()];
        for (place, &page) in sample.iter().enumerate() {
            place_of[page] = Some(place);
        }
        let known = self.exemplars.len();
        let mut first_of: FxHashMap<u64, usize> = FxHashMap::default();
        let strangers: Vec<usize> = site
            .urls()
            .iter()
            .enumerate()
            .map(|(page, url)| known + *first_of.entry(sample::kind(url)).or_insert(page))
            .collect();
        let assigned: Vec<(usize, f64)> = place_of
            .par_iter()
            .enumerate()
            .map(|(page, place)| match place {
                Some(place) => {
                    let own = labels[*place] as usize;
                    (own, margin(&belonging[*place], own))
                }
                None => {
                    let reading = self.read(site, page);
                    let near = self.nearest(&reading);
                    match near.first() {
                        Some(&(page_type, odds)) if odds > FITS_NOTHING => {
                            (page_type, odds - near.get(1).map_or(FITS_NOTHING, |second| second.1))
                        }
                        _ => (strangers[page], 0.0),
                    }
                }
            })
            .collect();
        assigned.into_iter().unzip()
    }

    fn summarise(&mut self, site: &Site, labels: Vec<usize>, margins: &[f64]) {
        let (type_of, count) = renumber(&labels);
        // The exemplars follow the new numbers; a type of pages that fit nothing has none.
        let mut renamed: FxHashMap<usize, usize> = FxHashMap::default();
        for (&old, &new) in labels.iter().zip(&type_of) {
            renamed.insert(old, new);
        }
        let mut exemplars = vec![Vec::new(); count];
        for (old, pages) in std::mem::take(&mut self.exemplars).into_iter().enumerate() {
            if let Some(&new) = renamed.get(&old) {
                exemplars[new] = pages;
            }
        }
        self.exemplars = exemplars;
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (page, &page_type) in type_of.iter().enumerate() {
            members[page_type].push(page);
        }
        let named: Vec<NamedType> = name_types(site, &members);
        self.types = members
            .into_iter()
            .zip(named)
            .map(|(mut pages, named)| {
                let sure = pages.iter().map(|&page| 1.0 / (1.0 + (-margins[page]).exp())).sum::<f64>();
                let confidence = sure / pages.len().max(1) as f64;
                let count = pages.len();
                pages.sort_by(|&a, &b| margins[b].total_cmp(&margins[a]).then(a.cmp(&b)));
                let typical = pages.iter().copied().take(SHOWN_PAGES).collect();
                let doubtful = pages.iter().rev().copied().take(SHOWN_PAGES.min(count / 2)).collect();
                TypeSummary {
                    name: named.name,
                    url_pattern: named.url_pattern,
                    pages: count,
                    confidence,
                    typical,
                    doubtful,
                }
            })
            .collect();
        self.type_of = type_of;
    }
}

/// Puts a few odd pages to the large type that has their kind of address: empty records and error messages look like
/// nothing else, and are no type.
fn join_odd_pages(readings: &Readings, on: &[bool], labels: &[u32]) -> Vec<u32> {
    let count = labels.iter().max().map_or(0, |&label| label as usize + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (place, &label) in labels.iter().enumerate() {
        members[label as usize].push(place);
    }
    let url = position("url").filter(|&url| on[url]);
    let (Some(url), Some(large)) = (url, (0..count).max_by_key(|&at| (members[at].len(), count - at))) else {
        return labels.to_vec();
    };
    let same_address = |odd: usize| {
        let score = |&usual: &usize| {
            let scores =
                readings.scores(&readings.pages[odd], &readings.pages[usual], |expert| expert == url);
            scores[url].unwrap_or(0.0)
        };
        let usual = &members[large][..members[large].len().min(EXEMPLARS)];
        usual.iter().all(|usual| score(usual) >= SAME_ADDRESS)
    };
    let joins: Vec<u32> = members
        .iter()
        .enumerate()
        .map(|(at, pages)| {
            let few = pages.len() * ODD_PAGES <= members[large].len();
            if few && pages.iter().all(|&page| same_address(page)) { large as u32 } else { at as u32 }
        })
        .collect();
    unsite_learn::correlation::renumber(
        &labels.iter().map(|&label| joins[label as usize]).collect::<Vec<_>>(),
    )
}

/// The log-odds of all pairs of the sample.
fn pair_log_odds(readings: &Readings, model: &Calibrated) -> Vec<(u32, u32, f64)> {
    let count = readings.pages.len();
    (0..count)
        .into_par_iter()
        .flat_map_iter(|a| {
            (a + 1..count).map(move |b| {
                (a as u32, b as u32, readings.log_odds(model, &readings.pages[a], &readings.pages[b]))
            })
        })
        .collect()
}

/// For each page of the sample and each type, the mean log-odds of the page and the type's other pages.
fn belonging(pairs: &[(u32, u32, f64)], labels: &[u32], count: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![(0.0f64, 0u32); count]; labels.len()];
    for &(a, b, odds) in pairs {
        for (page, other) in [(a, b), (b, a)] {
            let sum = &mut sums[page as usize][labels[other as usize] as usize];
            *sum = (sum.0 + odds, sum.1 + 1);
        }
    }
    // A page alone in its type is as sure of it as no page can say.
    sums.into_iter()
        .map(|row| row.into_iter().map(|(sum, n)| if n == 0 { 0.0 } else { sum / f64::from(n) }).collect())
        .collect()
}

/// How much more a page is like its own type than like the next one.
fn margin(belonging: &[f64], own: usize) -> f64 {
    let next = belonging.iter().enumerate().filter(|&(other, _)| other != own).map(|(_, &odds)| odds);
    belonging[own] - next.fold(FITS_NOTHING, f64::max)
}

/// For each type the places of its most typical pages.
fn exemplars(belonging: &[Vec<f64>], labels: &[u32], count: usize) -> Vec<Vec<usize>> {
    let mut exemplars: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (place, &label) in labels.iter().enumerate() {
        exemplars[label as usize].push(place);
    }
    for (page_type, places) in exemplars.iter_mut().enumerate() {
        places.sort_by(|&a, &b| belonging[b][page_type].total_cmp(&belonging[a][page_type]).then(a.cmp(&b)));
        places.truncate(EXEMPLARS);
    }
    exemplars
}
