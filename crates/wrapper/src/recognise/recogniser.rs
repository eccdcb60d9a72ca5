//! Telling page types apart, and strangers from all of them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use unsite_dom::Tree;

use super::index::{Index, Met};
use super::marks::{Family, PageMarks};
use super::prototype::Prototype;
use crate::classes::ClassMap;
use crate::hex;
use crate::kinds::Kinds;

/// Marks kept of one family: those that say most about the type.
const MOST_MARKS: usize = 600;

/// Hashes kept of marks that always come together.
const MEMBERS: usize = 3;

/// A mark on the same share of all types, give or take this, tells nothing.
const TELLS_NOTHING: f64 = 0.1;

/// Log-odds that one family can speak at most for one type against another. Paths are hundreds of marks that are not
/// independent; without a bound they would never let the address speak.
const LOUDEST: f64 = 40.0;

/// On a site that the wrapper has never seen, a page has to be as like its type as the type's own pages usually are:
/// a mirror is, a stranger that happens to use the same software is not.
const OTHER_SITE: f64 = 0.9;

/// Candidates whose likeness is looked at: the page may be odd in its marks and still be built like its type.
const CANDIDATES: usize = 2;

/// No page is as like anything as this.
const NO_PAGE: f64 = 2.0;

/// Recognises the type of a page.
///
/// # What it does
/// Every mark of a page (steps of its address, names on its body, paths of its elements, words around its title) is on
/// some share of the pages of each type; the type under which the page's marks are most probable wins (naive Bayes,
/// marks that always come together counted once). It is then asked whether the page is like the pages of that type at
/// all ([`Prototype`]), and refused if not. Constant time in the pages learned from.
/// # Assumes
/// Types differ in something that a program wrote. Marks are independent enough within a family once those that
/// always come together are one.
/// # When it fails
/// Types that differ in their data alone. A stranger made by the same software under the same host is one of us.
/// # Paper
/// The architecture (classify against wrappers, set the rest aside) is that of Flesca and others; the classifier is ours.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Recogniser {
    /// How many pages each type was learned from.
    pub pages: Vec<u32>,
    /// What tells types apart.
    pub marks: Vec<Mark>,
    /// The sites that were learned from; hashes of their hosts, sorted.
    #[serde(with = "hex::list")]
    pub hosts: Vec<u64>,
    /// What the pages of each type look like.
    pub prototypes: Vec<Prototype>,
    #[serde(skip)]
    index: OnceLock<Index>,
}

impl PartialEq for Recogniser {
    fn eq(&self, other: &Self) -> bool {
        (&self.pages, &self.marks, &self.hosts, &self.prototypes)
            == (&other.pages, &other.marks, &other.hosts, &other.prototypes)
    }
}

/// A mark, or several that always come together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Where it stands.
    pub family: Option<Family>,
    /// What it is called.
    pub name: String,
    /// Its hashes; the page has the mark when it has at least half of them.
    #[serde(with = "hex::list")]
    pub hashes: Vec<u64>,
    /// How many pages of which types have it.
    pub types: Vec<(u32, u32)>,
}

impl Mark {
    /// On how many of the pages of which types it is.
    fn on(&self, pages: &[PageMarks], type_of: &[usize]) -> BTreeMap<u32, u32> {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let Some(family) = self.family else { return counts };
        for (page, &page_type) in pages.iter().zip(type_of) {
            let has = |hash: &&u64| page.has(family, **hash);
            if self.hashes.iter().filter(has).count() * 2 >= self.hashes.len() {
                *counts.entry(page_type as u32).or_default() += 1;
            }
        }
        counts
    }
}

/// What a page was recognised as.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The type.
    pub page_type: usize,
    /// How like the type's own pages it is, 0 to 1.
    pub likeness: f64,
    /// The type it would be of otherwise.
    pub runner_up: Option<usize>,
    /// What each family says for the type and against the runner-up, in the order of [`Family::ALL`].
    pub evidence: [f64; 4],
}

impl Recogniser {
    /// Learns from the marks of pages whose types are known. Also says for each mark a page that has it, where it can
    /// be seen what it is called.
    pub fn learn(pages: &[PageMarks], type_of: &[usize], count: usize) -> (Self, Vec<usize>) {
        let mut sizes = vec![0u32; count];
        let mut paths: Vec<Vec<&[u64]>> = vec![Vec::new(); count];
        let mut hosts: Vec<u64> = pages.iter().filter_map(|page| page.host).collect();
        hosts.sort_unstable();
        hosts.dedup();
        for (page, &page_type) in pages.iter().zip(type_of) {
            sizes[page_type] += 1;
            paths[page_type].push(&page.paths);
        }
        let (marks, seen_on) = telling_marks(pages, type_of, &sizes).into_iter().unzip();
        let prototypes = Prototype::learn_all(&paths);
        (Recogniser { pages: sizes, marks, hosts, prototypes, index: OnceLock::new() }, seen_on)
    }

    /// The same with its types in other places; `pages` and `prototypes` are those of all places.
    pub fn placed(&self, pages: Vec<u32>, prototypes: Vec<Prototype>, places: &[usize]) -> Self {
        let mut marks = self.marks.clone();
        for mark in &mut marks {
            for (page_type, _) in &mut mark.types {
                *page_type = places[*page_type as usize] as u32;
            }
            mark.types.sort_unstable();
        }
        Recogniser { pages, marks, hosts: self.hosts.clone(), prototypes, index: OnceLock::new() }
    }

    /// Some types learned anew, the others as they were. `fresh` has as many types as there are now and was learned from
    /// those of `pages` whose types `is_fresh` names; what the others have of its marks is counted.
    pub fn renewed(&self, fresh: &Self, pages: &[PageMarks], type_of: &[usize], is_fresh: &[bool]) -> Self {
        let none = Prototype { least: NO_PAGE, ..Prototype::default() };
        let (mut counts, mut prototypes) = (Vec::new(), Vec::new());
        for (at, &is_fresh) in is_fresh.iter().enumerate() {
            let from = if is_fresh { fresh } else { self };
            counts.push(from.pages.get(at).copied().unwrap_or(0));
            prototypes.push(from.prototypes.get(at).cloned().unwrap_or_else(|| none.clone()));
        }
        let mut looked_at = vec![0u32; is_fresh.len()];
        for &page_type in type_of {
            looked_at[page_type] += 1;
        }
        let mut marks = self.marks.clone();
        for mark in &mut marks {
            mark.types.retain(|(page_type, _)| !is_fresh[*page_type as usize]);
            let new = mark.on(pages, type_of).into_iter().filter(|(at, _)| is_fresh[*at as usize]);
            mark.types.extend(new);
        }
        for mut mark in unknown_marks(&marks, &fresh.marks, 0) {
            for (at, with) in mark.on(pages, type_of).into_iter().filter(|(at, _)| !is_fresh[*at as usize]) {
                // As many as there would be on all pages of the type.
                let (all, seen) = (u64::from(counts[at as usize]), u64::from(looked_at[at as usize].max(1)));
                mark.types.push((at, (u64::from(with) * all / seen) as u32));
            }
            marks.push(mark);
        }
        marks.retain(|mark| !mark.types.is_empty());
        for mark in &mut marks {
            mark.types.sort_unstable();
        }
        let hosts = both_hosts(self, fresh);
        Recogniser { pages: counts, marks, hosts, prototypes, index: OnceLock::new() }
    }

    /// Two recognisers as one, the types of the second behind those of the first. `pages` and `type_of` are what the
    /// second was learned from: it is counted how many of them have the marks of the first.
    pub fn joined(first: &Self, second: &Self, pages: &[PageMarks], type_of: &[usize]) -> Self {
        let behind = first.pages.len() as u32;
        let mut marks = first.marks.clone();
        for mark in &mut marks {
            let new = mark.on(pages, type_of).into_iter().map(|(at, with)| (at + behind, with));
            mark.types.extend(new);
        }
        marks.extend(unknown_marks(&marks, &second.marks, behind));
        let hosts = both_hosts(first, second);
        Recogniser {
            pages: [first.pages.as_slice(), &second.pages].concat(),
            marks,
            hosts,
            prototypes: [first.prototypes.as_slice(), &second.prototypes].concat(),
            index: OnceLock::new(),
        }
    }

    /// The type of a page; `None` if it is like none. `before` is the type that the page at its address had when it was
    /// learned from: it keeps it as long as it still looks like it.
    pub fn recognise(&self, page: &PageMarks, before: Option<usize>) -> Option<Recognised> {
        self.recognise_met(&self.index().met(page), before)
    }

    /// The same of a page whose marks were not read.
    pub(crate) fn recognise_on(
        &self,
        tree: &Tree,
        url: &str,
        (classes, kinds): (&ClassMap, &Kinds),
        before: Option<usize>,
    ) -> Option<Recognised> {
        self.recognise_met(&self.index().met_on(tree, url, classes, kinds), before)
    }

    fn recognise_met(&self, page: &Met, before: Option<usize>) -> Option<Recognised> {
        let mut ranked = self.ranked(page);
        if let Some(at) =
            before.and_then(|before| ranked.iter().position(|(page_type, _)| *page_type == before))
        {
            ranked[..=at].rotate_right(1);
        }
        let known_site =
            self.hosts.is_empty() || page.host.is_none_or(|host| self.hosts.binary_search(&host).is_ok());
        ranked.iter().take(CANDIDATES).find_map(|&(page_type, ref own)| {
            let prototype = &self.prototypes[page_type];
            let likeness = self.index().likeness(page, page_type);
            let floor =
                if known_site { prototype.least } else { prototype.least.max(OTHER_SITE * prototype.usual) };
            if likeness < floor {
                return None;
            }
            let next = ranked.iter().find(|other| other.0 != page_type);
            let mut evidence = *own;
            for (own, other) in evidence.iter_mut().zip(next.map_or([0.0; 4], |next| next.1)) {
                *own = (*own - other).clamp(-LOUDEST, LOUDEST);
            }
            Some(Recognised { page_type, likeness, runner_up: next.map(|next| next.0), evidence })
        })
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    /// All types, the most probable first, with the log-likelihood of each family.
    fn ranked(&self, page: &Met) -> Vec<(usize, [f64; 4])> {
        let index = self.index();
        let mut scores = index.nothing.clone();
        let mut present = [0.0; 4];
        for (&group, &count) in &page.hits {
            let mark = &self.marks[group as usize];
            if (count as usize) * 2 < mark.hashes.len() {
                continue;
            }
            let family = mark.family.map_or(0, |family| family as usize);
            present[family] += 1.0;
            for (&(page_type, _), gain) in mark.types.iter().zip(&index.gains[group as usize]) {
                scores[page_type as usize][family] += gain;
            }
        }
        for (scores, unseen) in scores.iter_mut().zip(&index.unseen) {
            for (score, present) in scores.iter_mut().zip(present) {
                *score += present * unseen;
            }
        }
        bounded(&mut scores);
        let mut ranked: Vec<(usize, [f64; 4])> = scores.into_iter().enumerate().collect();
        let total = |at: usize, scores: &[f64; 4]| scores.iter().sum::<f64>() + index.prior[at];
        ranked.sort_by(|a, b| total(b.0, &b.1).total_cmp(&total(a.0, &a.1)).then(a.0.cmp(&b.0)));
        ranked
    }
}

/// The marks that are not known yet, their types behind `behind` others.
fn unknown_marks(known: &[Mark], marks: &[Mark], behind: u32) -> Vec<Mark> {
    let known: FxHashSet<(Option<Family>, u64)> =
        known.iter().flat_map(|mark| mark.hashes.iter().map(|&hash| (mark.family, hash))).collect();
    let is_new = |mark: &&Mark| !mark.hashes.iter().any(|&hash| known.contains(&(mark.family, hash)));
    let moved = |mark: &Mark| Mark {
        types: mark.types.iter().map(|&(page_type, with)| (page_type + behind, with)).collect(),
        ..mark.clone()
    };
    marks.iter().filter(is_new).map(moved).collect()
}

fn both_hosts(first: &Recogniser, second: &Recogniser) -> Vec<u64> {
    let mut hosts = [first.hosts.as_slice(), &second.hosts].concat();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

/// Within each family, no type is further behind the best than [`LOUDEST`].
fn bounded(scores: &mut [[f64; 4]]) {
    for family in 0..4 {
        let best = scores.iter().map(|scores| scores[family]).fold(f64::NEG_INFINITY, f64::max);
        for scores in scores.iter_mut() {
            scores[family] = (scores[family] - best).max(-LOUDEST);
        }
    }
}

/// The marks that tell types apart, those that stand on the same pages as one.
fn telling_marks(pages: &[PageMarks], type_of: &[usize], sizes: &[u32]) -> Vec<(Mark, usize)> {
    let mut postings: FxHashMap<(Family, u64), Vec<u32>> = FxHashMap::default();
    for (at, page) in pages.iter().enumerate() {
        for mark in page.all() {
            postings.entry(mark).or_default().push(at as u32);
        }
    }
    let mut groups: FxHashMap<(Family, Vec<u32>), Vec<u64>> = FxHashMap::default();
    for ((family, hash), pages) in postings {
        let small = pages.len() > 1 || sizes[type_of[pages[0] as usize]] <= 2;
        if small {
            groups.entry((family, pages)).or_default().push(hash);
        }
    }
    let mut marks: Vec<(f64, Mark, usize)> = Vec::new();
    for ((family, with), mut hashes) in groups {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for &page in &with {
            *counts.entry(type_of[page as usize] as u32).or_default() += 1;
        }
        let mut types: Vec<(u32, u32)> = counts.into_iter().collect();
        types.sort_unstable();
        let told = tells(&types, sizes, with.len());
        if told <= 0.0 {
            continue;
        }
        hashes.sort_unstable();
        hashes.truncate(MEMBERS);
        marks.push((
            told,
            Mark { family: Some(family), name: String::new(), hashes, types },
            with[0] as usize,
        ));
    }
    marks.sort_by(|a, b| {
        let key = |mark: &Mark| (mark.family, mark.hashes.clone());
        b.0.total_cmp(&a.0).then_with(|| key(&a.1).cmp(&key(&b.1)))
    });
    let mut kept = [0usize; 4];
    marks.retain(|(_, mark, _)| {
        let kept = &mut kept[mark.family.map_or(0, |family| family as usize)];
        *kept += 1;
        *kept <= MOST_MARKS
    });
    marks.into_iter().map(|(_, mark, page)| (mark, page)).collect()
}

/// How much a mark says about the type: the mutual information of having it and of being of each type, times the pages;
/// 0 where all types have it alike.
fn tells(types: &[(u32, u32)], sizes: &[u32], with: usize) -> f64 {
    let all: f64 = sizes.iter().map(|&size| f64::from(size)).sum();
    let overall = with as f64 / all;
    let shares =
        types.iter().map(|&(page_type, with)| f64::from(with) / f64::from(sizes[page_type as usize]));
    let highest = shares.clone().fold(0.0, f64::max);
    let lowest = if types.len() < sizes.len() { 0.0 } else { shares.fold(1.0, f64::min) };
    if highest - lowest < TELLS_NOTHING {
        return 0.0;
    }
    let part = |p: f64, q: f64| if p <= 0.0 { 0.0 } else { p * (p / q).ln() };
    let mut told = 0.0;
    let mut rest = all;
    for &(page_type, with) in types {
        let size = f64::from(sizes[page_type as usize]);
        let share = f64::from(with) / size;
        told += size * (part(share, overall) + part(1.0 - share, 1.0 - overall));
        rest -= size;
    }
    told + rest * part(1.0, 1.0 - overall).max(0.0)
}
