//! What follows from a recogniser's marks and prototypes, worked out once, and what a page has of it.

use std::ops::Range;

use rustc_hash::FxHashMap;
use unsite_dom::Tree;

use super::marks::{Family, PageMarks, other_marks, path_hashes};
use super::recogniser::Recogniser;
use crate::classes::ClassMap;
use crate::kinds::Kinds;

/// What follows from the marks and prototypes.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    /// The places in `paths` of all paths of marks and prototypes.
    places: FxHashMap<u64, u32>,
    /// In the order of their hashes.
    paths: Vec<KnownPath>,
    /// The marks (by place) of paths, see [`KnownPath::marks`].
    path_marks: Vec<u32>,
    /// The types that have a path, each with the share of its pages, see [`KnownPath::shares`].
    shares: Vec<(u32, f32)>,
    /// The marks (by place) that a hash of another family belongs to.
    others: FxHashMap<(Family, u64), Vec<u32>>,
    /// For each type and family, the log-likelihood of a page without any mark.
    pub(super) nothing: Vec<[f64; 4]>,
    /// For each type, what a present mark adds that no page of the type had.
    pub(super) unseen: Vec<f64>,
    pub(super) prior: Vec<f64>,
    /// For each mark, what its presence adds for each of its types beyond that.
    pub(super) gains: Vec<Vec<f64>>,
    /// For each type, the sum of the shares of all its paths.
    pub(super) all_shares: Vec<f64>,
}

/// A path of elements that marks or prototypes speak of.
#[derive(Debug, Clone, Default)]
struct KnownPath {
    marks: Range<u32>,
    shares: Range<u32>,
}

/// What a page has of the things that an [`Index`] knows.
pub(super) struct Met {
    /// How many hashes of which marks it has.
    pub(super) hits: FxHashMap<u32, u32>,
    /// Its distinct paths.
    pub(super) paths: usize,
    /// For each type, the sum of the shares of the paths that it has.
    pub(super) shares: Vec<f64>,
    /// See [`PageMarks::host`].
    pub(super) host: Option<u64>,
}

impl Index {
    pub(super) fn of(model: &Recogniser) -> Self {
        let mut index = Index {
            nothing: vec![[0.0; 4]; model.pages.len()],
            unseen: model.pages.iter().map(|&pages| logit(pages, 0)).collect(),
            ..Index::default()
        };
        let all: f64 = model.pages.iter().map(|&pages| f64::from(pages)).sum();
        index.prior =
            model.pages.iter().map(|&pages| ((f64::from(pages) + 0.5) / (all + 1.0)).ln()).collect();
        let mut path_marks: Vec<(u64, u32)> = Vec::new();
        for (at, mark) in model.marks.iter().enumerate() {
            let pages = |page_type: u32| model.pages[page_type as usize];
            let gain =
                |&(page_type, with): &(u32, u32)| logit(pages(page_type), with) - logit(pages(page_type), 0);
            index.gains.push(mark.types.iter().map(gain).collect());
            let Some(family) = mark.family else { continue };
            for &hash in &mark.hashes {
                match family {
                    Family::Paths => path_marks.push((hash, at as u32)),
                    _ => index.others.entry((family, hash)).or_default().push(at as u32),
                }
            }
            for (page_type, nothing) in index.nothing.iter_mut().enumerate() {
                nothing[family as usize] += absent(model.pages[page_type], 0);
            }
            for &(page_type, with) in &mark.types {
                let pages = pages(page_type);
                index.nothing[page_type as usize][family as usize] += absent(pages, with) - absent(pages, 0);
            }
        }
        index.know_paths(model, path_marks);
        index
    }

    fn know_paths(&mut self, model: &Recogniser, mut marks: Vec<(u64, u32)>) {
        let mut shares: Vec<(u64, u32, f32)> = Vec::new();
        for (at, prototype) in model.prototypes.iter().enumerate() {
            self.all_shares.push(prototype.paths.iter().map(|path| f64::from(path.1)).sum());
            shares.extend(prototype.paths.iter().map(|&(path, share)| (path, at as u32, share)));
        }
        // Both sorts are stable: several of one path stay in their order.
        marks.sort_by_key(|mark| mark.0);
        shares.sort_by_key(|share| share.0);
        let mut hashes: Vec<u64> =
            marks.iter().map(|mark| mark.0).chain(shares.iter().map(|share| share.0)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let (mut marks, mut shares) = (marks.into_iter().peekable(), shares.into_iter().peekable());
        for (place, &hash) in hashes.iter().enumerate() {
            let starts = (self.path_marks.len() as u32, self.shares.len() as u32);
            while let Some((_, mark)) = marks.next_if(|mark| mark.0 == hash) {
                self.path_marks.push(mark);
            }
            while let Some((_, page_type, share)) = shares.next_if(|share| share.0 == hash) {
                self.shares.push((page_type, share));
            }
            self.places.insert(hash, place as u32);
            self.paths.push(KnownPath {
                marks: starts.0..self.path_marks.len() as u32,
                shares: starts.1..self.shares.len() as u32,
            });
        }
    }

    /// What a page has whose marks were read.
    pub(super) fn met(&self, page: &PageMarks) -> Met {
        let known = page.paths.iter().filter_map(|path| self.places.get(path)).map(|&place| place as usize);
        self.met_with(&page.marks, known, page.paths.len(), page.host)
    }

    /// What a page has, without a list of all its paths in order.
    pub(super) fn met_on(&self, tree: &Tree, url: &str, classes: &ClassMap, kinds: &Kinds) -> Met {
        let (marks, host) = other_marks(tree, url);
        let mut seen = vec![0u64; self.paths.len() / 64 + 1];
        let mut strange: Vec<u64> = Vec::new();
        let mut last = 0;
        for (&hash, &kind) in path_hashes(tree, classes, kinds).iter().zip(kinds.by_node()) {
            if kind == 0 || hash == last {
                continue;
            }
            last = hash;
            match self.places.get(&hash) {
                Some(&place) => seen[place as usize / 64] |= 1 << (place % 64),
                None => strange.push(hash),
            }
        }
        strange.sort_unstable();
        strange.dedup();
        let count = seen.iter().map(|bits| bits.count_ones() as usize).sum::<usize>() + strange.len();
        let known = seen.iter().enumerate().flat_map(|(at, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        });
        self.met_with(&marks, known, count, host)
    }

    /// Everything in the order of its hash: sums of fractions depend on it.
    fn met_with(
        &self,
        marks: &[(Family, u64)],
        known: impl Iterator<Item = usize>,
        paths: usize,
        host: Option<u64>,
    ) -> Met {
        let mut met =
            Met { hits: FxHashMap::default(), paths, shares: vec![0.0; self.all_shares.len()], host };
        for mark in marks.iter().filter_map(|mark| self.others.get(mark)).flatten() {
            *met.hits.entry(*mark).or_default() += 1;
        }
        for place in known {
            let path = &self.paths[place];
            for &mark in &self.path_marks[path.marks.start as usize..path.marks.end as usize] {
                *met.hits.entry(mark).or_default() += 1;
            }
            for &(page_type, share) in &self.shares[path.shares.start as usize..path.shares.end as usize] {
                met.shares[page_type as usize] += f64::from(share);
            }
        }
        met
    }

    /// How much a page is like the pages of a type: what [`Prototype::likeness`](super::Prototype::likeness) gives. Sums
    /// of single-precision shares are exact in double precision, in whatever order.
    pub(super) fn likeness(&self, met: &Met, page_type: usize) -> f64 {
        let both = met.shares[page_type];
        let either = met.paths as f64 + (self.all_shares[page_type] - both);
        if either == 0.0 { 1.0 } else { both / either }
    }
}

/// `p = (with + 1/2) / (pages + 1)`: the share of pages with a mark, half a page on either side.
fn share(pages: u32, with: u32) -> f64 {
    (f64::from(with.min(pages)) + 0.5) / (f64::from(pages) + 1.0)
}

fn absent(pages: u32, with: u32) -> f64 {
    (1.0 - share(pages, with)).ln()
}

fn logit(pages: u32, with: u32) -> f64 {
    let share = share(pages, with);
    (share / (1.0 - share)).ln()
}
