//! CONFHEX on data: the clustering of texts with the most evidence inside its clusters.

use unsite_dom::Tree;
use unsite_learn::correlation::PairScores;

use super::experts::scores;
use super::model::DataModel;
use super::sample::{Sample, samples};
use super::{Clustered, MOST_TEXTS};

/// Texts that are clustered in all. Every pair is judged by every expert.
const MOST_SAMPLES: usize = 900;

/// Groups the texts of pages of one type by the summed evidence of the data experts.
///
/// # What it does
/// Every text of the pages is a sample. Each expert scores every pair; trained histograms turn scores into evidence; the
/// two clusters with the largest sum of evidence across are merged while it is above 0.
/// # Assumes
/// Few pages: the pairs grow with the square of the texts.
/// # When it fails
/// Lists of names and values become one column where no expert sees the names; formats split columns.
/// # Paper
/// Gazen, CMU-CS-08-154 (2008), CONFHEX, with the seven experts of the thesis. `confhex-all` also hears ours.
pub(super) fn published(trees: &[&Tree]) -> Vec<Clustered> {
    cluster(trees, &DataModel::built_in(), false)
}

/// The same with all experts.
pub(super) fn all(trees: &[&Tree]) -> Vec<Clustered> {
    cluster(trees, &DataModel::built_in(), true)
}

fn cluster(trees: &[&Tree], model: &DataModel, all: bool) -> Vec<Clustered> {
    let most = (MOST_SAMPLES / trees.len().max(1)).min(MOST_TEXTS);
    let found = samples(trees, most);
    let labels = exact(&found, model, all);
    let clustered = |(sample, label): (Sample, u32)| Clustered {
        page: sample.page,
        node: sample.node,
        text: sample.text,
        is_constant: sample.is_constant,
        cluster: label as usize,
    };
    found.into_iter().zip(labels).map(clustered).collect()
}

/// The greedy clustering over all pairs.
pub(super) fn exact(samples: &[Sample], model: &DataModel, all: bool) -> Vec<u32> {
    let evidence = |a: usize, b: usize| model.evidence(&scores(&samples[a], &samples[b]), all);
    PairScores::dense(samples.len(), evidence).greedy()
}
