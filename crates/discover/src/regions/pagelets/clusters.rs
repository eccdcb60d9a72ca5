//! Which clusters of pages are likely to hold answers.

use unsite_dom::{Terms, Tree};

use super::page::PageTerms;

/// What a cluster of pages is ranked by, averaged over its pages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusterTraits {
    /// Distinct terms of a page.
    pub terms: f64,
    /// The most children of any node of a page.
    pub fanout: f64,
    /// Bytes of a page.
    pub bytes: f64,
    /// How many pages there are.
    pub pages: usize,
}

impl ClusterTraits {
    /// Averages over pages, given with their sizes in bytes.
    pub fn of(pages: &[(&Tree, usize)], terms: &Terms) -> Self {
        let mut sum = ClusterTraits { pages: pages.len(), ..ClusterTraits::default() };
        for (tree, bytes) in pages {
            sum.terms += PageTerms::of(tree, terms).distinct() as f64;
            sum.fanout += largest_fanout(tree) as f64;
            sum.bytes += *bytes as f64;
        }
        let count = pages.len().max(1) as f64;
        ClusterTraits {
            terms: sum.terms / count,
            fanout: sum.fanout / count,
            bytes: sum.bytes / count,
            ..sum
        }
    }
}

/// The clusters with their scores from 0 to 1, the most promising first.
///
/// # What it does
/// Scales distinct terms, largest fan-out and size of the average page of each cluster to 0..1 over the clusters (the least
/// gets 0, the most 1) and takes their mean; ties go to the larger cluster, then to the first.
/// # Assumes
/// Pages with answers are longer, richer in words and have a long list.
/// # When it fails
/// Where articles are longer than lists of answers: rank only clusters of pages that answer a search.
/// # Paper
/// THOR, which asks for "a simple linear combination"; equal weights are ours.
pub fn rank_clusters(clusters: &[ClusterTraits]) -> Vec<(usize, f64)> {
    let scaled = |value: fn(&ClusterTraits) -> f64| -> Vec<f64> {
        let least = clusters.iter().map(value).fold(f64::INFINITY, f64::min);
        let most = clusters.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        clusters
            .iter()
            .map(|cluster| if most > least { (value(cluster) - least) / (most - least) } else { 0.0 })
            .collect()
    };
    let parts = [scaled(|c| c.terms), scaled(|c| c.fanout), scaled(|c| c.bytes)];
    let score = |at: usize| parts.iter().map(|part| part[at]).sum::<f64>() / parts.len() as f64;
    let mut ranked: Vec<(usize, f64)> = (0..clusters.len()).map(|at| (at, score(at))).collect();
    ranked.sort_by(|a, b| {
        b.1.total_cmp(&a.1).then(clusters[b.0].pages.cmp(&clusters[a.0].pages)).then(a.0.cmp(&b.0))
    });
    ranked
}

/// How many of the ranked clusters are looked at: two of three, as published, and at least one.
pub fn clusters_forwarded(clusters: usize) -> usize {
    (2 * clusters).div_ceil(3)
}

fn largest_fanout(tree: &Tree) -> u32 {
    let mut children = vec![0u32; tree.len()];
    for parent in tree.nodes().filter_map(|node| tree.parent(node)) {
        children[parent.index()] += 1;
    }
    children.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_richest_cluster_comes_first() {
        let cluster = |terms, fanout, bytes, pages| ClusterTraits { terms, fanout, bytes, pages };
        let ranked = rank_clusters(&[
            cluster(40.0, 4.0, 2_000.0, 9),
            cluster(240.0, 24.0, 12_000.0, 60),
            cluster(140.0, 4.0, 7_000.0, 11),
        ]);
        assert_eq!(ranked.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 2, 0]);
        assert!((ranked[0].1 - 1.0).abs() < 1e-12 && (ranked[1].1 - 1.0 / 3.0).abs() < 1e-12);
        // Equal clusters: the larger one first.
        let ranked = rank_clusters(&[cluster(1.0, 1.0, 1.0, 2), cluster(1.0, 1.0, 1.0, 5)]);
        assert_eq!(ranked[0].0, 1);
        assert_eq!([0, 1, 2, 3, 4].map(clusters_forwarded), [0, 1, 2, 2, 3]);
        assert!(rank_clusters(&[]).is_empty());
    }
}
