//! Pages as bags of tags or terms, and k-means over them.

use crate::kmeans::{self, Start};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{HashInterner, Terms, Tree};
use unsite_learn::tfidf::{SparseVec, TfIdf, centroid};
use xxhash_rust::xxh3::xxh3_64;

use crate::page_types::sample::{MAX_TYPES, nearest, sample};
use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Pages that the centres of tag vectors are learnt from. THOR's entropy is flat from about 40 pages on.
const TAG_PAGES: usize = 2_000;

/// Pages that the centres of term vectors are learnt from: ten thousands of dimensions take their time.
const TERM_PAGES: usize = 300;

/// What k-means is run on.
#[derive(Clone, Copy)]
pub(super) struct Bags<'a> {
    counts: &'a [SparseVec],
    /// Pages that the centres are learnt from.
    pages: usize,
    /// The simplified silhouette below which all pages are one type.
    min_silhouette: f64,
}

impl<'a> Bags<'a> {
    /// Counts of tags. Templates differ clearly or not at all, so the bar is the usual one for structure.
    pub(super) fn of_tags(counts: &'a [SparseVec]) -> Self {
        Bags { counts, pages: TAG_PAGES, min_silhouette: 0.5 }
    }

    /// Counts of terms. Among so many dimensions every cosine is small, so any structure is taken.
    pub(super) fn of_terms(counts: &'a [SparseVec]) -> Self {
        Bags { counts, pages: TERM_PAGES, min_silhouette: 1e-6 }
    }
}

/// How often each tag stands on each page.
pub fn tag_counts(site: &Site) -> Vec<SparseVec> {
    count(site, |tree| {
        let mut counts: FxHashMap<u16, u32> = FxHashMap::default();
        let mut names: FxHashMap<u16, u64> = FxHashMap::default();
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            let id = tree.name_id(node);
            *counts.entry(id).or_default() += 1;
            names.entry(id).or_insert_with(|| xxh3_64(tree.name(node).as_bytes()));
        }
        counts.into_iter().map(|(id, count)| (names[&id], count)).collect()
    })
}

/// How often each stemmed term stands on each page.
pub(super) fn term_counts(site: &Site) -> Vec<SparseVec> {
    let terms = Terms::new();
    count(site, |tree| {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for (_, text) in tree.visible_texts() {
            for term in terms.plain_terms(&text) {
                *counts.entry(xxh3_64(term.as_bytes())).or_default() += 1;
            }
        }
        counts.into_iter().collect()
    })
}

/// k-means over the pages' counts, weighed by TFIDF or as they are.
pub(super) fn cluster_vectors(bags: Bags<'_>, weighed: bool, options: &Options) -> Vec<usize> {
    let counts = bags.counts;
    let chosen = sample(counts.len(), bags.pages, options.seed);
    let learnt: Vec<SparseVec> = chosen.iter().map(|&page| counts[page].clone()).collect();
    let types = SignatureTypes::of(&learnt, weighed, bags.min_silhouette, options);
    let label = |page: usize| match chosen.binary_search(&page) {
        Ok(at) => types.labels[at],
        Err(_) => types.assign(&counts[page]),
    };
    (0..counts.len()).into_par_iter().map(label).collect()
}

/// THOR's page types as they are learnt from some signatures: a further one is put to the nearest centre, in a time that
/// does not depend on how many there are.
pub struct SignatureTypes {
    /// The types of the signatures it was learnt from.
    pub labels: Vec<usize>,
    weights: Option<TfIdf>,
    centres: Vec<SparseVec>,
}

impl SignatureTypes {
    /// From tag counts, weighed by TFIDF as the method `thor` does it.
    pub fn learn(counts: &[SparseVec], options: &Options) -> Self {
        Self::of(counts, true, Bags::of_tags(counts).min_silhouette, options)
    }

    fn of(counts: &[SparseVec], weighed: bool, min_silhouette: f64, options: &Options) -> Self {
        let weights = weighed.then(|| TfIdf::fit(counts));
        let mut types = SignatureTypes { labels: Vec::new(), weights, centres: Vec::new() };
        let vectors: Vec<SparseVec> = counts.par_iter().map(|page| types.weigh(page)).collect();
        let how = kmeans::Options {
            seed: options.seed,
            start: Start::Random,
            min_silhouette,
            ..kmeans::Options::default()
        };
        let found = match options.k {
            Some(k) => kmeans::kmeans(&vectors, k, &how),
            None => kmeans::auto(&vectors, MAX_TYPES, &how),
        };
        let mut members: Vec<Vec<SparseVec>> = vec![Vec::new(); found.k];
        for (mut vector, &label) in vectors.into_iter().zip(&found.labels) {
            vector.normalise();
            members[label as usize].push(vector);
        }
        types.centres = members.iter().map(centroid).collect();
        types.labels = found.labels.iter().map(|&label| label as usize).collect();
        types
    }

    /// The type of one more signature.
    pub fn assign(&self, counts: &SparseVec) -> usize {
        let vector = self.weigh(counts);
        nearest(self.centres.iter().map(|centre| -vector.cosine(centre)))
    }

    fn weigh(&self, counts: &SparseVec) -> SparseVec {
        self.weights.as_ref().map_or_else(|| counts.clone(), |weights| weights.weigh(counts))
    }
}

/// Feature hashes counted page by page in parallel, then numbered site-wide in page order.
fn count(site: &Site, features: impl Fn(&Tree) -> Vec<(u64, u32)> + Sync) -> Vec<SparseVec> {
    let pages: Vec<Vec<(u64, u32)>> = site
        .pages
        .par_iter()
        .map(|page| {
            let mut counted = features(&page.tree);
            counted.sort_unstable();
            counted
        })
        .collect();
    let mut numbers = HashInterner::default();
    pages
        .into_iter()
        .map(|page| {
            SparseVec::new(page.into_iter().map(|(hash, n)| (numbers.intern(hash), f64::from(n))).collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    /// THOR's four golden pages: `tr` and `td` inside a table, the rest below the body.
    fn golden_site() -> Site {
        let page = |rows: usize, cells: usize, b: usize, a: usize, p: usize| {
            let mut html = String::new();
            if rows > 0 {
                html += "<table>";
                (0..rows).for_each(|_| html += &format!("<tr>{}", "<td>x".repeat(cells / rows)));
                html += "</table>";
            }
            html + &"<p>x</p>".repeat(p) + &"<a>x</a>".repeat(a) + &"<b>x</b>".repeat(b)
        };
        let pages = [page(3, 9, 3, 6, 0), page(5, 15, 5, 10, 0), page(1, 3, 0, 2, 1), page(0, 0, 0, 1, 2)];
        let raw = pages.iter().enumerate().map(|(i, html)| RawPage {
            url: format!("http://a.example/{i}"),
            bytes: html.clone().into_bytes(),
            ..RawPage::default()
        });
        Site::parse(raw.collect(), &Limits::default())
    }

    #[test]
    fn the_golden_pages_are_read_off_html() {
        // The parser adds a head and a tbody that the golden pages do not have.
        let site = golden_site();
        let counts = tag_counts(&site);
        let total = |page: usize| counts[page].entries().iter().map(|e| e.1).sum::<f64>();
        assert_eq!((total(0), total(1), total(2), total(3)), (26.0, 40.0, 12.0, 6.0));
        let options = Options { k: Some(2), ..Options::default() };
        assert_eq!(cluster_vectors(Bags::of_tags(&counts), true, &options), [0, 0, 1, 1]);
    }

    #[test]
    fn terms_are_stemmed_and_hidden_scripts_do_not_count() {
        let raw = |html: &str| RawPage { bytes: html.as_bytes().to_vec(), ..RawPage::default() };
        let site =
            Site::parse(vec![raw("<p>Connected, connections<script>connect()</script>")], &Limits::default());
        let counts = term_counts(&site);
        assert_eq!(counts[0].entries(), [(0, 2.0)]);
    }

    #[test]
    fn pages_beyond_the_sample_join_the_nearest_centre() {
        let bag = |kind: u32, n: u32| SparseVec::new(vec![(0, 2.0), (1 + kind, 3.0 + f64::from(n % 3))]);
        let counts: Vec<SparseVec> = (0..TAG_PAGES as u32 + 500).map(|i| bag(i % 2, i)).collect();
        let labels =
            cluster_vectors(Bags::of_tags(&counts), true, &Options { k: Some(2), ..Options::default() });
        assert!(labels.iter().enumerate().all(|(i, &label)| label == labels[i % 2]));
        assert_ne!(labels[0], labels[1]);
    }
}
