//! The default method: experts judge pairs of a bounded number of pages, all others follow in constant time.

mod addresses;
mod answers;
mod divided;
mod grouping;
mod links;
mod matrix;
mod names_of_kinds;
mod readings;
mod sample;
mod signature;
mod training;
mod why;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_wrapper::ClassMap;

use super::naming::{NamedType, name_types, route_words};
use super::strangers;
use super::templates::TypeTexts;
use super::{Options, renumber};
use crate::evidence::{Calibrated, Model};
use crate::experts::{InLink, PageView, position};
use crate::site::Site;
use crate::vocabulary::class_map;
use addresses::Addresses;
use answers::AnswerTypes;
use grouping::{Grouping, Sets};
use readings::{Reading, Readings};
use signature::Signatures;

pub use answers::Answers;
pub use matrix::Matrix;
pub use training::{GoldTypes, train, training_pairs};
pub use why::{Opinion, Why};

/// Pages of each type that a further page is compared with.
const EXEMPLARS: usize = 3;

/// Types that a further page is compared with in full; the others are ruled out by their first exemplar.
const CANDIDATES: usize = 3;

/// A page that is less like its nearest type than this (log-odds) fits nothing. Lower than 0, the border between two
/// types, because a page that nothing else is like is more often an odd page of a known type than a new type.
const FITS_NOTHING: f64 = -4.0;

/// A page that quick experts put to a type with at least these log-odds, and so much before the next type, is not read
/// further: as far from doubt on the one side as what fits nothing is on the other.
const CLEAR: f64 = -FITS_NOTHING;

/// Experts that can tell types of one template apart: by route, by who leads to them, by what they call themselves.
const DIVIDING: [&str; 3] = ["url", "in-links", "embedded"];

/// Experts that together divide types of one template.
const ROUTES: [&str; 2] = ["url", "in-links"];

/// A likeness below this tells apart.
const DIVIDED: f64 = 0.5;

/// Pages named as most typical and as most doubtful.
const SHOWN_PAGES: usize = 3;

/// A type, and how much more a page is like it than like the next one.
type Placed = (usize, f64);

/// The page types of a site, with everything needed to explain them and to recognise further pages.
///
/// # What it does
/// Reads a bounded sample of the pages with every expert that is switched on, puts structurally equal ones together
/// by a signature, turns the scores of all pairs of what is left into log-odds with a trained model, and takes the
/// clustering that maximises the sum of log-odds within types (CONFHEX). Every other page takes the type of a page
/// with its signature; where there is none it is put to the type whose exemplars it is most like, by quick experts alone
/// where they leave no doubt. Linear in
/// the pages: the sample and the exemplars are bounded. Last, pages that answer a search come apart by the number of
/// their answers: none, one, many.
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
    /// The pages that were read, in the order of the readings.
    sample: Vec<usize>,
    /// For each type, places in the readings: the most typical pages.
    exemplars: Vec<Vec<usize>>,
    links: Vec<Vec<InLink>>,
    /// Types of pages that answer a search.
    answers: Vec<AnswerTypes>,
    /// For each page of the site a number that all pages of its template have.
    template: Vec<usize>,
    /// The addresses of the site tell its types.
    pub(in crate::page_types) addresses_tell: bool,
    model: Calibrated,
    on: Vec<bool>,
    /// The number of types was given.
    no_new_types: bool,
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
        let trained = options.model.clone().unwrap_or_else(|| std::sync::Arc::new(Model::built_in()));
        let model = trained.calibrate(&on);
        let links = links::in_links(site, &classes, options.search_log.as_deref());
        let sample = sample::prototypes(site);
        let readings = Readings::of(site, &sample, &classes, &links, &on);
        let signing = Signatures::new(&on);
        let signatures: Vec<Option<u64>> =
            readings.pages.par_iter().map(|page| signing.of_reading(&readings, page)).collect();
        let sets = Sets::of(&signatures);
        let scores = sets.scores(&readings, |expert| on[expert]);
        let model = names_of_kinds::limited(model, (&trained, &on), &sets, &scores);
        let Addresses { model, tell } = Addresses::of(&model, (&trained, &on), &sets, &scores);
        let routes =
            || Some(ROUTES.map(position)).filter(|_| tell).and_then(|[url, links]| Some([url?, links?]));
        let routes = routes().filter(|experts| experts.iter().all(|&expert| on[expert]));
        let urls = site.urls();
        let route = |places: &[usize]| {
            route_words(&places.iter().map(|&place| urls[sample[place]]).collect::<Vec<_>>())
        };
        let grouping = Grouping::of(&readings, sets, &scores, &model, routes, route, options.k);
        let mut typing = Typing {
            type_of: Vec::new(),
            types: Vec::new(),
            classes,
            exemplars: grouping.exemplars(),
            readings,
            sample,
            links,
            answers: Vec::new(),
            template: Vec::new(),
            addresses_tell: tell,
            model,
            on,
            no_new_types: options.k.is_some(),
        };
        let (mut type_of, margins) = typing.assign_all(site, &grouping, &signatures);
        if !typing.no_new_types {
            typing.part_strangers(site, &mut type_of);
        }
        typing.share_templates(site, &mut type_of);
        if !typing.no_new_types {
            typing.split_answers(site, &mut type_of);
        }
        typing.summarise(site, type_of, &margins);
        typing
    }

    /// The type of a page that was not there when the types were found, with the log-odds of belonging to it; `None`
    /// where it fits nothing. Constant time: the page against a few exemplars.
    pub fn classify(&self, url: &str, tree: &Tree) -> Option<(usize, f64)> {
        let reading = self
            .readings
            .settled(readings::read_page(&PageView::new(url, tree, &self.classes, &[]), &self.on));
        let nearest =
            self.nearest(&reading, |_| true).first().copied().filter(|&(_, odds)| odds > FITS_NOTHING);
        nearest.map(|(page_type, odds)| (self.by_answers(page_type, url, tree), odds))
    }

    /// The log-odds that two pages of the site are of one type.
    pub fn log_odds(&self, site: &Site, a: usize, b: usize) -> f64 {
        let read = |page| self.read(site, page);
        self.readings.log_odds(&self.model, &read(a), &read(b))
    }

    /// How many answers to a search a page gives; `None` for a page of a type that answers none.
    pub fn answers(&self, page_type: usize, url: &str, tree: &Tree) -> Option<Answers> {
        self.search_of(page_type, url, tree)?.count(url, tree, &self.classes)
    }

    /// For each type, the largest of those that share its template: itself, mostly. Answers differ in their number, not in
    /// their template.
    pub(in crate::page_types) fn template_of(&self) -> Vec<usize> {
        let mut template = vec![usize::MAX; self.types.len()];
        for (&page_type, &own) in self.type_of.iter().zip(&self.template).rev() {
            template[page_type] = own;
        }
        let usual = |page_type: usize| {
            let answers = self.answer_types(page_type).and_then(|answers| answers.types.first());
            answers.map_or(page_type, |first| first.1)
        };
        let of: Vec<usize> = (0..self.types.len()).map(|own| template[usual(own)]).collect();
        let largest = |own: usize| {
            let sharing = (0..of.len()).filter(|&other| of[other] == of[own]);
            sharing.max_by_key(|&other| (self.types[other].pages, std::cmp::Reverse(other))).unwrap_or(own)
        };
        (0..of.len()).map(largest).collect()
    }

    /// Finds the types that share a template. Those that nothing divides but what pages have or lack become one type.
    fn share_templates(&mut self, site: &Site, type_of: &mut [usize]) {
        let count = type_of.iter().copied().max().map_or(0, |last| last + 1);
        let template = TypeTexts::of(site, &self.classes, &members(type_of, count)).template_of();
        let mut joined: Vec<usize> = (0..count).collect();
        if !self.no_new_types {
            for own in 0..count {
                let earlier =
                    (0..own).filter(|&other| joined[other] == other && template[other] == template[own]);
                let mut undivided = earlier.filter(|&other| self.undivided(other, own));
                joined[own] = undivided.next().unwrap_or(own);
            }
        }
        for own in (0..self.exemplars.len()).filter(|&own| joined[own] != own) {
            let moved = std::mem::take(&mut self.exemplars[own]);
            let kept = &mut self.exemplars[joined[own]];
            kept.extend(moved);
            kept.truncate(EXEMPLARS);
        }
        self.template = type_of.iter().map(|&page_type| template[page_type]).collect();
        type_of.iter_mut().for_each(|page_type| *page_type = joined[*page_type]);
    }

    /// Whether nothing that divides types of one template divides these.
    fn undivided(&self, a: usize, b: usize) -> bool {
        let (Some(left), Some(right)) = (self.exemplars.get(a), self.exemplars.get(b)) else { return false };
        if left.is_empty() || right.is_empty() {
            return false;
        }
        DIVIDING.iter().filter_map(|name| position(name)).filter(|&expert| self.on[expert]).all(|expert| {
            let pairs = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
            let scores = pairs.filter_map(|(a, b)| {
                let (a, b) = (&self.readings.pages[a], &self.readings.pages[b]);
                self.readings.scores(a, b, |asked| asked == expert)[expert]
            });
            let (sum, count) = scores.fold((0.0, 0.0), |all, score| (all.0 + score, all.1 + 1.0));
            count == 0.0 || sum >= DIVIDED * count
        })
    }

    fn answer_types(&self, page_type: usize) -> Option<&AnswerTypes> {
        self.answers.iter().find(|answers| answers.types.iter().any(|own| own.1 == page_type))
    }

    /// The search that a page of a type or of one beside it answers.
    fn search_of(&self, page_type: usize, url: &str, tree: &Tree) -> Option<&AnswerTypes> {
        let near = self.answer_types(page_type)?;
        let mut beside = self.answers.iter().filter(|one| one.origin == near.origin);
        Some(beside.find(|one| one.is_asked_by(url, tree)).unwrap_or(near))
    }

    /// The type beside the nearest that has the page's number of answers.
    fn by_answers(&self, page_type: usize, url: &str, tree: &Tree) -> usize {
        let count = self.answers(page_type, url, tree);
        let types = self.search_of(page_type, url, tree).map_or(&[][..], |answers| answers.types.as_slice());
        types.iter().find(|own| Some(own.0) == count).map_or(page_type, |own| own.1)
    }

    /// Puts pages without, with one and with many answers to a search into types of their own.
    fn split_answers(&mut self, site: &Site, type_of: &mut [usize]) {
        let next = type_of.iter().copied().max().map_or(0, |last| last + 1).max(self.exemplars.len());
        let before = type_of.to_vec();
        self.answers = answers::split(site, &self.classes, type_of, next);
        self.exemplars_follow(&before, type_of);
    }

    /// Takes small types apart whose pages have nothing in common.
    fn part_strangers(&mut self, site: &Site, type_of: &mut [usize]) {
        let count = type_of.iter().copied().max().map_or(0, |last| last + 1).max(self.exemplars.len());
        let leaving = strangers::leaving(site, &self.classes, &members(type_of, count));
        if leaving.is_empty() {
            return;
        }
        let before = type_of.to_vec();
        for (next, group) in (count..).zip(leaving) {
            group.into_iter().for_each(|page| type_of[page] = next);
        }
        self.exemplars_follow(&before, type_of);
    }

    /// Exemplars go with their pages; a type that lost all of them takes others of the sample.
    fn exemplars_follow(&mut self, before: &[usize], type_of: &[usize]) {
        let mut exemplars: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for places in &self.exemplars {
            for &place in places {
                exemplars.entry(type_of[self.sample[place]]).or_default().push(place);
            }
        }
        for (place, &page) in self.sample.iter().enumerate() {
            let moved = type_of[page] != before[page] || !exemplars.contains_key(&type_of[page]);
            let own = exemplars.entry(type_of[page]).or_default();
            if moved && own.len() < EXEMPLARS && !own.contains(&place) {
                own.push(place);
            }
        }
        let count = exemplars.keys().max().map_or(0, |&last| last + 1);
        self.exemplars = (0..count).map(|at| exemplars.remove(&at).unwrap_or_default()).collect();
    }

    fn read(&self, site: &Site, page: usize) -> Reading {
        self.readings.settled(readings::read(site, page, &self.classes, &self.links, &self.on))
    }

    /// The types that a page may be of, best first, with the mean log-odds against their exemplars by the experts that are
    /// asked.
    fn nearest(&self, reading: &Reading, asked: impl Fn(usize) -> bool) -> Vec<(usize, f64)> {
        let against =
            |at: usize| self.readings.log_odds_by(&self.model, reading, &self.readings.pages[at], &asked);
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
    /// fit nothing are types of their own, one for each kind of address, unless their number was given.
    fn assign_all(
        &self,
        site: &Site,
        grouping: &Grouping,
        signatures: &[Option<u64>],
    ) -> (Vec<usize>, Vec<f64>) {
        let mut assigned: Vec<Option<Placed>> = vec![None; site.pages.len()];
        let mut known: FxHashMap<u64, Placed> = FxHashMap::default();
        for (place, &page) in self.sample.iter().enumerate() {
            let own = (grouping.labels[place] as usize, grouping.margin(place));
            assigned[page] = Some(own);
            if let Some(signature) = signatures[place] {
                known.entry(signature).or_insert(own);
            }
        }
        let signing = Signatures::new(&self.on);
        let quick: Vec<(Option<u64>, Option<Placed>)> = site
            .pages
            .par_iter()
            .zip(&assigned)
            .map(|(page, own)| {
                if own.is_some() {
                    return (None, *own);
                }
                let (reading, signature) = signing.of_page(&self.readings, page, &self.classes);
                let own = signature.and_then(|signature| {
                    known.get(&signature).copied().or_else(|| self.clear(&reading, &signing.quick))
                });
                (signature, own)
            })
            .collect();
        let (signed, mut assigned): (Vec<_>, Vec<Option<Placed>>) = quick.into_iter().unzip();
        // Of pages with one signature the first is read, the others follow it.
        let mut first_of: FxHashMap<u64, usize> = FxHashMap::default();
        let rest: Vec<usize> = (0..site.pages.len()).filter(|&page| assigned[page].is_none()).collect();
        let stands_for = |page: usize, first_of: &mut FxHashMap<u64, usize>| match signed[page] {
            Some(signature) => *first_of.entry(signature).or_insert(page),
            None => page,
        };
        let firsts: Vec<usize> =
            rest.iter().copied().filter(|&page| stands_for(page, &mut first_of) == page).collect();
        let judged: Vec<Option<Placed>> = firsts.par_iter().map(|&page| self.judged(site, page)).collect();
        // Pages that fit nothing are types of their own, one for each kind of address.
        let mut strangers: FxHashMap<u64, usize> = FxHashMap::default();
        for (&page, own) in firsts.iter().zip(judged) {
            let own = own.unwrap_or_else(|| {
                let next = self.exemplars.len() + strangers.len();
                (*strangers.entry(sample::kind(&site.pages[page].raw.url)).or_insert(next), 0.0)
            });
            assigned[page] = Some(own);
            if let Some(signature) = signed[page] {
                known.insert(signature, own);
            }
        }
        for page in rest {
            if assigned[page].is_none() {
                assigned[page] = signed[page].and_then(|signature| known.get(&signature)).copied();
            }
        }
        assigned.into_iter().map(|own| own.unwrap_or((0, 0.0))).unzip()
    }

    /// The type of a page that is like none of the sample, and how much more it is like it than like the next; `None` for
    /// one that fits nothing.
    fn judged(&self, site: &Site, page: usize) -> Option<Placed> {
        let near = self.nearest(&self.read(site, page), |_| true);
        let &(page_type, odds) = near.first().filter(|near| near.1 > FITS_NOTHING || self.no_new_types)?;
        Some((page_type, odds - near.get(1).map_or(FITS_NOTHING, |second| second.1)))
    }

    /// The same by quick experts alone, where they leave no doubt.
    fn clear(&self, reading: &Reading, quick: &[bool]) -> Option<Placed> {
        let near = self.nearest(reading, |expert| quick[expert]);
        let &(page_type, odds) = near.first()?;
        let margin = odds - near.get(1).map_or(FITS_NOTHING, |second| second.1);
        (odds >= CLEAR && margin >= CLEAR).then_some((page_type, margin))
    }

    /// For each type of answers, the type of the usual ones and how its name ends.
    fn answer_names(&self) -> FxHashMap<usize, (usize, &'static str)> {
        let mut names = FxHashMap::default();
        for answers in &self.answers {
            let others = answers.types.iter().filter(|own| own.1 != answers.usual);
            names.extend(others.map(|&(count, own)| (own, (answers.usual, count.word()))));
        }
        names
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
        let members = members(&type_of, count);
        let renamed = |old: usize| renamed.get(&old).copied().unwrap_or(usize::MAX);
        for answers in &mut self.answers {
            answers.usual = renamed(answers.usual);
            answers.types.iter_mut().for_each(|own| own.1 = renamed(own.1));
        }
        let named: Vec<NamedType> = name_types(site, &members, &self.answer_names());
        self.types = members
            .into_iter()
            .zip(named)
            .map(|(pages, named)| {
                let sure = pages.iter().map(|&page| 1.0 / (1.0 + (-margins[page]).exp())).sum::<f64>();
                let confidence = sure / pages.len().max(1) as f64;
                let own: Vec<f64> = pages.iter().map(|&page| margins[page]).collect();
                let (typical, doubtful) = shown_pages(&pages, &own);
                TypeSummary {
                    name: named.name,
                    url_pattern: named.url_pattern,
                    pages: pages.len(),
                    confidence,
                    typical,
                    doubtful,
                }
            })
            .collect();
        self.type_of = type_of;
    }
}

/// The pages of each type.
fn members(type_of: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (page, &page_type) in type_of.iter().enumerate() {
        members[page_type].push(page);
    }
    members
}

/// Of the pages of one type the few that are surest of it, best first, and the few that are least sure, worst first; a page
/// is never both.
pub(super) fn shown_pages(pages: &[usize], sureness: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by(|&a, &b| sureness[b].total_cmp(&sureness[a]).then(pages[a].cmp(&pages[b])));
    let typical: Vec<usize> = order.iter().take(SHOWN_PAGES).map(|&at| pages[at]).collect();
    let left = pages.len() - typical.len();
    let doubtful = order.iter().rev().take(SHOWN_PAGES.min(left)).map(|&at| pages[at]).collect();
    (typical, doubtful)
}
