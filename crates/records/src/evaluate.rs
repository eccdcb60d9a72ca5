//! How good it is: folds that share no cluster, pairwise scores pooled over folds.

use rustc_hash::FxHashMap;
use unsite_learn::measures::Prf;
use unsite_learn::measures::clustering::PairCounts;

use crate::blocking::candidates;
use crate::corpus::Corpus;
use crate::dedup::{Dedup, DedupConfig, Method, dedup, train};
use crate::model::{Model, TrainConfig};
use crate::record::{RecordIndex, RecordSet, RecordsError};

/// Pairwise precision, recall and F1 of clusters against the truth.
pub fn pairwise<L: Ord>(clusters: &[u32], truth: &[L]) -> Prf {
    PairCounts::of(clusters, truth).prf()
}

/// The true share of true pairs that blocking keeps.
pub fn pair_completeness<L: Eq + std::hash::Hash>(
    records: &RecordSet,
    config: &DedupConfig,
    truth: &[L],
) -> f64 {
    let corpus = Corpus::new(records, config.schema.as_ref());
    let found = candidates(&corpus, &config.blocking);
    let mut sizes: FxHashMap<&L, u64> = FxHashMap::default();
    truth.iter().for_each(|l| *sizes.entry(l).or_insert(0) += 1);
    let wanted: u64 = sizes.values().map(|n| n * n.saturating_sub(1) / 2).sum();
    let kept = found.pairs.iter().filter(|(a, b)| truth[*a as usize] == truth[*b as usize]).count();
    if wanted == 0 { 1.0 } else { kept as f64 / wanted as f64 }
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

/// Folds that follow the order of the file: the cuts nearest to equal parts that no label of the given kind straddles.
///
/// Cora's file is three collections one after the other (around the authors Fahlman, Kibler and Utgoff), which are the folds of
/// Culotta and McCallum 2005; this finds nearly the same borders from the labels alone.
pub fn sections(labels: &[String], count: usize) -> Vec<usize> {
    let mut last: FxHashMap<&str, usize> = FxHashMap::default();
    labels.iter().enumerate().for_each(|(record, label)| {
        last.insert(label, record);
    });
    let mut clean: Vec<usize> = Vec::new();
    let mut reach = 0;
    for (record, label) in labels.iter().enumerate() {
        if record > 0 && reach < record {
            clean.push(record);
        }
        reach = reach.max(last[label.as_str()]);
    }
    let mut cuts: Vec<usize> = (1..count.max(1))
        .filter_map(|part| {
            let wanted = labels.len() * part / count;
            clean.iter().copied().min_by_key(|cut| (cut.abs_diff(wanted), *cut))
        })
        .collect();
    cuts.dedup();
    (0..labels.len()).map(|record| cuts.iter().filter(|cut| record >= **cut).count()).collect()
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
    pooled(records, truth, fold_of, |rest, test| {
        let model = trained(records, truth, rest, config, training)?;
        dedup(&records.select(test, &[]), &with_model(config, model))
    })
}

/// Papers and venues together: in each fold the papers are found first, with a model trained on the other folds; then the
/// papers are the groups whose venues are clustered, with a model trained on the other folds' true papers.
pub fn cross_validate_joint(
    records: &RecordSet,
    papers: &[String],
    venues: &[String],
    fold_of: &[usize],
    paper_config: &DedupConfig,
    venue_config: &DedupConfig,
) -> Result<CrossValidated, RecordsError> {
    let numbered = numbers(papers);
    pooled(records, venues, fold_of, |rest, test| {
        let model = trained(records, papers, rest, paper_config, &TrainConfig::default())?;
        let part = records.select(test, &[]);
        let found = dedup(&part, &with_model(paper_config, model))?;
        let grouped = |groups: Vec<u32>| DedupConfig { groups: Some(groups), ..venue_config.clone() };
        let known = grouped(rest.iter().map(|&r| numbered[r as usize]).collect());
        let model = trained(records, venues, rest, &known, &TrainConfig::for_groups())?;
        dedup(&part, &with_model(&grouped(found.clusters), model))
    })
}

/// Labels as numbers, in the order of their first records.
pub fn numbers(labels: &[String]) -> Vec<u32> {
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    labels
        .iter()
        .map(|label| {
            let next = known.len() as u32;
            *known.entry(label).or_insert(next)
        })
        .collect()
}

fn trained(
    records: &RecordSet,
    truth: &[String],
    chosen: &[RecordIndex],
    config: &DedupConfig,
    training: &TrainConfig,
) -> Result<Model, RecordsError> {
    let known: Vec<Option<&String>> = chosen.iter().map(|&r| truth.get(r as usize)).collect();
    train(&records.select(chosen, &[]), &known, config, training)
}

fn with_model(config: &DedupConfig, model: Model) -> DedupConfig {
    DedupConfig { method: Method::Model(Box::new(model)), ..config.clone() }
}

/// Runs every fold (`rest`, `test`) and pools the pairs.
fn pooled(
    records: &RecordSet,
    truth: &[String],
    fold_of: &[usize],
    run: impl Fn(&[RecordIndex], &[RecordIndex]) -> Result<Dedup, RecordsError>,
) -> Result<CrossValidated, RecordsError> {
    let count = fold_of.iter().max().map_or(0, |m| m + 1);
    let mut all = PairCounts { both: 0, first_only: 0, second_only: 0, neither: 0 };
    let mut out =
        CrossValidated { pooled: Prf::new(0.0, 0.0), folds: Vec::new(), clusters: vec![0; records.len()] };
    let mut next = 0;
    for fold in 0..count {
        let pick = |inside: bool| -> Vec<RecordIndex> {
            (0..records.len()).filter(|&r| (fold_of[r] == fold) == inside).map(|r| r as RecordIndex).collect()
        };
        let test = pick(true);
        let found = run(&pick(false), &test)?;
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
    fn sections_cut_where_no_label_straddles() {
        let labels: Vec<String> = ["a", "a", "b", "a", "c", "d", "d", "e", "e"].map(String::from).to_vec();
        assert_eq!(sections(&labels, 3), [0, 0, 0, 0, 1, 2, 2, 2, 2]);
        assert_eq!(sections(&[], 3), [] as [usize; 0]);
    }

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
