//! Cross-page analysis: subtrees of the same kind on all pages of a cluster, and how much their content varies.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::NodeId;
use unsite_learn::tfidf::{SparseVec, tfidf};

use super::candidates::Candidate;

/// Sets whose subtrees are more alike than this on average are template, as published.
pub(super) const STATIC: f64 = 0.5;

/// Pairs of candidates on one path that are compared one by one; longer lists are matched in document order.
const MOST_PAIRS: usize = 4096;

/// Candidates of the other page that one without an equal path is compared with: the next ones in document order.
const LOOKED_AT: usize = 64;

/// Of a subtree's terms so many are counted: enough to tell contents apart, and nested subtrees cost depth times text.
const MOST_TERMS: usize = 400;

/// Subtrees of the same kind, at most one on a page.
#[derive(Debug, Clone)]
pub(super) struct CommonSet {
    /// Its candidate on the prototype page.
    pub prototype: usize,
    /// By page: the candidate there.
    pub members: Vec<Option<usize>>,
    /// The mean cosine of its members' contents: 1 for equal ones.
    pub similarity: f64,
}

/// For each candidate of the prototype page the most alike candidate of every page, one to one.
///
/// Greedy by ascending [`Shape::distance`](super::Shape::distance), ties in document order. Candidates on the same path are
/// matched with each other first; only what is left over is compared across paths.
pub(super) fn common_sets(pages: &[Vec<Candidate>], prototype: usize) -> Vec<CommonSet> {
    let ours = &pages[prototype];
    let mut sets: Vec<CommonSet> = (0..ours.len())
        .map(|at| CommonSet { prototype: at, members: vec![None; pages.len()], similarity: 1.0 })
        .collect();
    let pair = |(page, theirs): (usize, &Vec<Candidate>)| match page == prototype {
        true => (0..ours.len()).map(Some).collect(),
        false => pair(ours, theirs),
    };
    let matched: Vec<Vec<Option<usize>>> = pages.par_iter().enumerate().map(pair).collect();
    for (page, matched) in matched.into_iter().enumerate() {
        for (set, member) in sets.iter_mut().zip(matched) {
            set.members[page] = member;
        }
    }
    sets
}

/// For each of our candidates one of theirs.
fn pair(ours: &[Candidate], theirs: &[Candidate]) -> Vec<Option<usize>> {
    let mut by_path: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, candidate) in theirs.iter().enumerate() {
        by_path.entry(candidate.path_hash).or_default().push(at);
    }
    let mut groups: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, candidate) in ours.iter().enumerate() {
        groups.entry(candidate.path_hash).or_default().push(at);
    }
    let mut matched = vec![None; ours.len()];
    let mut taken = vec![false; theirs.len()];
    // The groups do not touch each other, so their order is of no matter.
    for (path, group) in groups {
        let Some(there) = by_path.get(&path) else { continue };
        if group.len() * there.len() > MOST_PAIRS {
            group.iter().zip(there).for_each(|(&our, &their)| matched[our] = Some(their));
        } else {
            let pairs = group.iter().flat_map(|&our| there.iter().map(move |&their| (our, their)));
            greedy(ours, theirs, pairs.collect(), &mut matched, &mut taken);
        }
    }
    matched.iter().flatten().for_each(|&their: &usize| taken[their] = true);
    let free: Vec<usize> = (0..theirs.len()).filter(|&their| !taken[their]).collect();
    let left: Vec<usize> = (0..ours.len()).filter(|&our| matched[our].is_none()).collect();
    let mut pairs = Vec::new();
    for &our in &left {
        let near =
            free.partition_point(|&their| theirs[their].node < ours[our].node).saturating_sub(LOOKED_AT / 2);
        pairs.extend(free[near..].iter().take(LOOKED_AT).map(|&their| (our, their)));
    }
    greedy(ours, theirs, pairs, &mut matched, &mut taken);
    matched
}

fn greedy(
    ours: &[Candidate],
    theirs: &[Candidate],
    pairs: Vec<(usize, usize)>,
    matched: &mut [Option<usize>],
    taken: &mut [bool],
) {
    let mut measured: Vec<(f64, usize, usize)> = pairs
        .into_iter()
        .map(|(our, their)| (ours[our].shape.distance(&theirs[their].shape), our, their))
        .collect();
    measured.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, our, their) in measured {
        if matched[our].is_none() && !taken[their] {
            matched[our] = Some(their);
            taken[their] = true;
        }
    }
}

/// Fills in how alike the contents of each set are: `IntraSim = sum_i sum_(l != i) cos(i, l)`, divided by the number of pairs.
///
/// For vectors of length 1 the double sum is the squared length of their sum less their number, so that no pair is looked at.
/// `terms` gives the terms of a subtree of a page.
pub(super) fn measure<'t>(
    sets: &mut [CommonSet],
    pages: &[Vec<Candidate>],
    terms: impl Fn(usize, NodeId) -> &'t [u32] + Sync,
) {
    sets.par_iter_mut().for_each(|set| {
        let counts: Vec<SparseVec> = set
            .members
            .iter()
            .enumerate()
            .filter_map(|(page, member)| Some((page, (*member)?)))
            .map(|(page, member)| {
                let terms = terms(page, pages[page][member].node);
                SparseVec::new(terms.iter().take(MOST_TERMS).map(|&term| (term, 1.0)).collect())
            })
            .collect();
        set.similarity = mean_cosine(&counts);
    });
}

/// The mean cosine of all pairs of contents, each given by the counts of its terms. A single one varies as much as can be:
/// nothing like it stands on another page. Contents without any term (stop words, marks) do not vary.
pub(super) fn mean_cosine(counts: &[SparseVec]) -> f64 {
    if counts.iter().all(|content| content.entries().is_empty()) {
        return 1.0;
    }
    let vectors = tfidf(counts);
    let size = vectors.len() as f64;
    if vectors.len() < 2 {
        return 0.0;
    }
    let sum = SparseVec::new(vectors.iter().flat_map(|vector| vector.entries().iter().copied()).collect());
    let own: f64 = vectors.iter().map(|vector| vector.dot(vector)).sum();
    ((sum.dot(&sum) - own) / (size * (size - 1.0))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(terms: &[u32]) -> SparseVec {
        SparseVec::new(terms.iter().map(|&term| (term, 1.0)).collect())
    }

    #[test]
    fn equal_contents_have_similarity_one_and_strangers_zero() {
        assert!((mean_cosine(&[counts(&[1, 2]), counts(&[1, 2]), counts(&[1, 2])]) - 1.0).abs() < 1e-9);
        assert_eq!(mean_cosine(&[counts(&[1]), counts(&[2]), counts(&[3])]), 0.0);
        assert_eq!(mean_cosine(&[counts(&[1])]), 0.0);
        assert_eq!(mean_cosine(&[counts(&[]), counts(&[])]), 1.0);
    }

    #[test]
    fn the_sum_of_all_pairs_needs_no_pairs() {
        let all = [counts(&[1, 2, 2, 3]), counts(&[2, 3, 4]), counts(&[1, 5]), counts(&[2, 5, 5])];
        let vectors = tfidf(&all);
        let mut sum = 0.0;
        for (i, a) in vectors.iter().enumerate() {
            for (l, b) in vectors.iter().enumerate() {
                sum += if i == l { 0.0 } else { a.cosine(b) };
            }
        }
        assert!((mean_cosine(&all) - sum / 12.0).abs() < 1e-12);
    }
}
