//! How good it is: folds that share no cluster, pairwise scores pooled over folds.

use rustc_hash::FxHashMap;
use unsite_learn::measures::Prf;
use unsite_learn::measures::clustering::PairCounts;

use crate::dedup::{DedupConfig, Method, dedup, train};
use crate::model::TrainConfig;
use crate::record::{RecordIndex, RecordSet, RecordsError};

/// Pairwise precision, recall and F1 of clusters against the truth.
pub fn pairwise<L: Ord>(clusters: &[u32], truth: &[L]) -> Prf {
    PairCounts::of(clusters, truth).prf()
}

/// Folds that share no label of any of the given kinds.
///
/// Records connected through equal labels of any kind go together; the largest groups come first (the earlier first record
/// breaks ties) and each goes to the fold with the fewest records so far (the lowest number breaks ties).
pub fn folds(labels: &[&[String]], count: usize) -> Vec<usize> {
    let records = labels.first().map_or(0, |l| l.len());
    let mut parent: Vec<usize> = (0..records).collect();
    fn root(parent: &mut [usize], mut r: usize) -> usize {
        while parent[r] != r {
            parent[r] = parent[parent[r]];
            r = parent[r];
        }
        r
    }
    for kind in labels {
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (record, label) in kind.iter().enumerate() {
            let other = *first.entry(label).or_insert(record);
            let (a, b) = (root(&mut parent, other), root(&mut parent, record));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<(usize, usize)> = vec![(0, 0); records];
    for record in 0..records {
        let r = root(&mut parent, record);
        groups[r] = (groups[r].0 + 1, r);
    }
    groups.retain(|g| g.0 > 0);
    groups.sort_by_key(|&(size, first)| (std::cmp::Reverse(size), first));
    let mut sizes = vec![0_usize; count.max(1)];
    let mut fold_of = vec![0_usize; records];
    for (size, first) in groups {
        let smallest = (0..sizes.len()).min_by_key(|&f| (sizes[f], f)).unwrap_or(0);
        sizes[smallest] += size;
        fold_of[first] = smallest;
    }
    (0..records).map(|r| fold_of[root(&mut parent, r)]).collect()
}

/// The score of one fold and of all together.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossValidated {
    /// Pairs of all folds pooled.
    pub pooled: Prf,
    /// Each fold alone.
    pub folds: Vec<Prf>,
    /// The cluster of each record; clusters of different folds have different numbers.
    pub clusters: Vec<u32>,
}

/// Trains on the other folds and clusters each fold alone.
pub fn cross_validate(
    records: &RecordSet,
    truth: &[String],
    fold_of: &[usize],
    config: &DedupConfig,
    training: &TrainConfig,
) -> Result<CrossValidated, RecordsError> {
    let count = fold_of.iter().max().map_or(0, |m| m + 1);
    let mut all = PairCounts { both: 0, first_only: 0, second_only: 0, neither: 0 };
    let mut out = CrossValidated { pooled: Prf::new(0.0, 0.0), folds: Vec::new(), clusters: vec![0; records.len()] };
    let mut next = 0;
    for fold in 0..count {
        let pick = |inside: bool| -> Vec<RecordIndex> {
            (0..records.len()).filter(|&r| (fold_of[r] == fold) == inside).map(|r| r as RecordIndex).collect()
        };
        let (rest, test) = (pick(false), pick(true));
        let known: Vec<Option<&String>> = rest.iter().map(|&r| truth.get(r as usize)).collect();
        let part = |chosen: &[RecordIndex]| {
            let mut part = config.clone();
            if let Some(groups) = &mut part.groups {
                *groups = chosen.iter().map(|&r| groups[r as usize]).collect();
            }
            part
        };
        let model = train(&records.select(&rest, &[]), &known, &part(&rest), training)?;
        let mut config = part(&test);
        config.method = Method::Model(Box::new(model));
        let found = dedup(&records.select(&test, &[]), &config)?;
        let wanted: Vec<&String> = test.iter().filter_map(|&r| truth.get(r as usize)).collect();
        let counts = PairCounts::of(&found.clusters, &wanted);
        out.folds.push(counts.prf());
        all.both += counts.both;
        all.first_only += counts.first_only;
        all.second_only += counts.second_only;
        for (&record, &cluster) in test.iter().zip(&found.clusters) {
            out.clusters[record as usize] = next + cluster;
        }
        next += found.count as u32;
    }
    out.pooled = all.prf();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_share_no_label() {
        let papers: Vec<String> = ["a", "b", "a", "c", "d", "e"].map(String::from).to_vec();
        let venues: Vec<String> = ["1", "2", "1", "2", "3", "4"].map(String::from).to_vec();
        let folds = folds(&[&papers, &venues], 3);
        assert_eq!(folds[0], folds[2]);
        assert_eq!(folds[1], folds[3]);
        assert_eq!(folds, [0, 1, 0, 1, 2, 2]);
    }
}
