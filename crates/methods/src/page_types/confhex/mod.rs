//! CONFHEX: experts score pairs of pages, trained histograms turn scores into evidence, and the clustering with the most
//! evidence inside its clusters wins.

mod experts;
mod trained;

pub use experts::EXPERTS;

use rayon::prelude::*;
use unsite_learn::correlation::PairScores;
use unsite_learn::evidence::histogram::bin;
use unsite_learn::evidence::{BINS, Histogram, PairHistograms};

use super::sample::{nearest, sample};
use experts::View;
use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Pages whose pairs are judged. The thesis's sites had some dozens; three templates for every pair take their time.
const JUDGED_PAGES: usize = 120;

/// Pages of a cluster that a page outside the sample is compared with.
const REPRESENTATIVES: usize = 2;

/// The scores of all experts on all pairs of a sample of a site: what a model is trained on and what it judges.
pub struct Judged {
    /// The pages of the sample.
    pub pages: Vec<usize>,
    /// Rows of the upper triangle: pairs (0,1), (0,2), (1,2), (0,3), ...
    scores: Vec<[f32; EXPERTS.len()]>,
}

/// For each expert the distributions of its scores over pairs of one type and over pairs of two.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    histograms: Vec<PairHistograms>,
}

/// Counts of labelled pairs: what a [`Model`] is trained from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// For each expert the tenths of its scores, inside types and between types.
    experts: [Shares; EXPERTS.len()],
}

/// Scores inside types and between types, counted by tenths.
type Shares = [[f64; BINS]; 2];

/// Groups pages by the summed evidence of six experts.
///
/// # What it does
/// Six experts score every pair of at most 120 pages from 0 to 1: URL and base URL (longest common subsequence),
/// template (share of tokens in unique common runs), the same with lists cut to one row and with tables cut to three,
/// layout (cosine of texts per path). From labelled sites each expert has a histogram of its scores inside types and one
/// between types, ten bins smoothed by a Gaussian; `s_ij` is the sum of the logarithms of their ratios. Greedy
/// agglomeration merges the two clusters with the largest sum across while it is above 0. Every other page joins the
/// cluster with the most evidence.
/// # Assumes
/// Scores mean the same on the labelled sites and here; experts are independent (naive Bayes).
/// # When it fails
/// Correlated experts count twice: template, list and table mostly agree. URL experts are sure of themselves on sites
/// whose URLs say nothing.
/// # Paper
/// Gazen, CMU-CS-08-154 (2008), CONFHEX. Normalisations, base URL, layout without a browser and the search are our
/// reading. The shipped histograms are trained on the labelled suites; figures for them are leave-one-site-out.
pub(super) fn cluster(site: &Site, options: &Options) -> Vec<usize> {
    let judged = Judged::new(site, options.seed);
    let without: Vec<&str> = EXPERTS.iter().copied().filter(|name| !options.hears(name)).collect();
    cluster_judged(site, &judged, &Model::shipped(), &without)
}

/// As the method `confhex` with a model of one's own, and without some experts.
pub fn cluster_judged(site: &Site, judged: &Judged, model: &Model, without: &[&str]) -> Vec<usize> {
    let evidence = |scores: &[f64; EXPERTS.len()]| model.evidence(scores, without);
    let labels = judged.cluster(model, without);
    let clusters = labels.iter().max().map_or(0, |&label| label as usize + 1);
    if judged.pages.len() == site.pages.len() {
        return labels.into_iter().map(|label| label as usize).collect();
    }
    let first = |cluster: usize| {
        let members = (0..labels.len()).filter(|&at| labels[at] as usize == cluster).take(REPRESENTATIVES);
        members.map(|at| View::of(&site.pages[judged.pages[at]])).map(|view| (view.indexed(), view)).collect()
    };
    let representatives: Vec<Vec<_>> = (0..clusters).map(first).collect();
    let label = |page: usize| match judged.pages.binary_search(&page) {
        Ok(at) => labels[at] as usize,
        Err(_) => {
            let own = View::of(&site.pages[page]);
            let mean = |members: &Vec<_>| {
                let of = |(index, view): &(_, View)| evidence(&own.scores(view, index));
                members.iter().map(of).sum::<f64>() / members.len() as f64
            };
            nearest(representatives.iter().map(|members| -mean(members)))
        }
    };
    (0..site.pages.len()).into_par_iter().map(label).collect()
}

impl Judged {
    /// Asks the experts about every pair of a sample.
    pub fn new(site: &Site, seed: u64) -> Self {
        let pages = sample(site.pages.len(), JUDGED_PAGES, seed);
        let views: Vec<View> = pages.par_iter().map(|&page| View::of(&site.pages[page])).collect();
        let row = |second: usize| {
            let index = views[second].indexed();
            let scores = |first: usize| views[first].scores(&views[second], &index).map(|score| score as f32);
            (0..second).map(scores).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<_>> = (0..views.len()).into_par_iter().map(row).collect();
        Judged { pages, scores: rows.concat() }
    }

    /// The types of the sample's pages.
    pub fn cluster(&self, model: &Model, without: &[&str]) -> Vec<u32> {
        self.labels(|scores| model.evidence(scores, without))
    }

    fn get(&self, a: usize, b: usize) -> [f64; EXPERTS.len()] {
        let (low, high) = (a.min(b), a.max(b));
        self.scores[high * (high - 1) / 2 + low].map(f64::from)
    }

    fn labels(&self, evidence: impl Fn(&[f64; EXPERTS.len()]) -> f64) -> Vec<u32> {
        PairScores::dense(self.pages.len(), |a, b| evidence(&self.get(a, b))).greedy()
    }
}

impl Counts {
    /// Adds a labelled site, every site with the same weight. `class_of` says what type a page is, if that is known.
    pub fn add<C: PartialEq>(&mut self, judged: &Judged, class_of: impl Fn(usize) -> Option<C>) {
        let classes: Vec<Option<C>> = judged.pages.iter().map(|&page| class_of(page)).collect();
        let mut own = [Shares::default(); EXPERTS.len()];
        for high in 1..classes.len() {
            for low in 0..high {
                if let (Some(a), Some(b)) = (&classes[low], &classes[high]) {
                    let side = usize::from(a != b);
                    let scores = judged.get(low, high);
                    own.iter_mut().zip(scores).for_each(|(shares, score)| shares[side][bin(score)] += 1.0);
                }
            }
        }
        for (all, site) in self.experts.iter_mut().flatten().zip(own.iter().flatten()) {
            let pairs: f64 = site.iter().sum();
            all.iter_mut().zip(site).for_each(|(sum, count)| *sum += count / pairs.max(1.0));
        }
    }

    /// For each expert the summed shares of the sites in each tenth: inside types, between types.
    pub fn shares(&self) -> &[[[f64; BINS]; 2]] {
        &self.experts
    }

    /// The smoothed histograms.
    pub fn train(&self) -> Model {
        Model::of(&self.experts)
    }
}

impl Model {
    /// The model that was trained on the labelled suites.
    pub fn shipped() -> Model {
        Model::of(&trained::SHARES)
    }

    fn of(experts: &[Shares]) -> Model {
        let histograms = |[within, between]: &Shares| PairHistograms {
            within: Histogram::from_counts(within),
            between: Histogram::from_counts(between),
        };
        Model { histograms: experts.iter().map(histograms).collect() }
    }

    fn evidence(&self, scores: &[f64; EXPERTS.len()], without: &[&str]) -> f64 {
        let heard = EXPERTS.iter().zip(&self.histograms).zip(scores).filter(|x| !without.contains(x.0.0));
        heard.map(|((_, histogram), &score)| histogram.log_odds(Some(score))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs with given beliefs, in the order of a [`Judged`]: ab, ac, bc.
    fn clustered(ab: f64, ac: f64, bc: f64) -> Vec<u32> {
        let beliefs = [ab, ac, bc];
        let judged =
            Judged { pages: vec![0, 1, 2], scores: beliefs.map(|b| [b as f32; EXPERTS.len()]).to_vec() };
        judged.labels(|scores| (scores[0] / (1.0 - scores[0])).ln())
    }

    #[test]
    fn golden_worked_example() {
        assert_eq!(clustered(0.7, 0.8, 0.4), [0, 0, 0], "a and c, then b");
        assert_eq!(clustered(0.7, 0.8, 0.2), [0, 1, 0], "b stays out");
        assert_eq!(clustered(0.7, 0.8, 0.299), [0, 1, 0], "just below the switch at 0.3");
        assert_eq!(clustered(0.7, 0.8, 0.301), [0, 0, 0], "just above it");
    }

    /// The probabilities of the five clusterings of a, b, c: {abc} {ab,c} {ac,b} {a,bc} {a,b,c}.
    fn posterior(ab: f64, ac: f64, bc: f64) -> Vec<f64> {
        let odds = |a: usize, b: usize| {
            let belief: f64 = [ab, ac, bc][a + b - 1];
            (belief / (1.0 - belief)).ln()
        };
        let scores = PairScores::dense(3, odds);
        let weights: Vec<f64> =
            unsite_learn::partitions::partitions(3).map(|labels| scores.objective(&labels).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    #[test]
    fn golden_posteriors() {
        let close = |got: Vec<f64>, want: [f64; 5]| {
            assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-4), "{got:?} is not {want:?}");
        };
        close(posterior(0.7, 0.8, 0.5), [0.5283, 0.1321, 0.2264, 0.0566, 0.0566]);
        close(posterior(0.7, 0.8, 0.4), [0.4375, 0.1641, 0.28125, 0.0469, 0.0703]);
        let sure = 1.0 - 1e-9;
        close(posterior(sure, 0.5, 0.5), [0.5, 0.5, 0.0, 0.0, 0.0]);
        close(posterior(sure, sure, 0.5), [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn training_learns_which_expert_to_believe() {
        // The first expert is right, the second is blind.
        let mut scores = Vec::new();
        let classes = [0, 0, 0, 1, 1, 1];
        for high in 1..6 {
            for low in 0..high {
                let right = if classes[low] == classes[high] { 0.95 } else { 0.15 };
                scores.push([right, 0.55, 0.55, 0.55, 0.55, 0.55]);
            }
        }
        let judged = Judged { pages: (0..6).collect(), scores };
        let mut counts = Counts::default();
        counts.add(&judged, |page| Some(classes[page]));
        let model = counts.train();
        assert!(model.histograms[0].log_odds(Some(0.95)) > 5.0);
        assert!(model.histograms[1].log_odds(Some(0.55)).abs() < 1e-9);
        assert_eq!(judged.labels(|scores| model.evidence(scores, &[])), [0, 0, 0, 1, 1, 1]);
        assert_eq!(judged.labels(|scores| model.evidence(scores, &["url"])), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Counts::default().train().histograms.len(), EXPERTS.len());
    }

    #[test]
    fn the_shipped_model_believes_in_likeness() {
        let model = Model::shipped();
        assert_eq!(model.histograms.len(), EXPERTS.len());
        for (name, expert) in EXPERTS.iter().zip(&model.histograms) {
            assert!(expert.log_odds(Some(0.97)) > 0.0, "{name}");
        }
    }
}
