//! Internal similarity: how close the members of each cluster are to its centroid. Needs no labels.

use unsite_learn::tfidf::{SparseVec, centroid};

/// THOR's printed form: `sum_i (n_i/n) * sum over members of cos(p, centroid_i)`.
///
/// Size enters twice, so lumping is rewarded; kept to reproduce the paper.
pub fn thor_literal(vectors: &[SparseVec], labels: &[u32]) -> f64 {
    per_cluster(vectors, labels, |size, cosines, n| size / n * cosines)
}

/// Mean over all items of the cosine to their own centroid, in 0..1. The form used to choose between restarts.
pub fn mean_cos(vectors: &[SparseVec], labels: &[u32]) -> f64 {
    per_cluster(vectors, labels, |_, cosines, n| cosines / n)
}

fn per_cluster(vectors: &[SparseVec], labels: &[u32], part: impl Fn(f64, f64, f64) -> f64) -> f64 {
    let n = vectors.len().min(labels.len());
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| labels[i]);
    order
        .chunk_by(|&i, &j| labels[i] == labels[j])
        .map(|members| {
            let centre = centroid(members.iter().map(|&i| &vectors[i]));
            let cosines: f64 = members.iter().map(|&i| vectors[i].cosine(&centre)).sum();
            part(members.len() as f64, cosines, n as f64)
        })
        .sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use unsite_learn::tfidf::tfidf;

    /// THOR's four golden pages; dimensions 0..8 = a, b, body, html, p, table, td, tr.
    pub(crate) fn golden_pages() -> Vec<SparseVec> {
        let counts = [
            [6, 3, 1, 1, 0, 1, 9, 3],
            [10, 5, 1, 1, 0, 1, 15, 5],
            [2, 0, 1, 1, 1, 1, 3, 1],
            [1, 0, 1, 1, 2, 0, 0, 0],
        ];
        let vector = |row: &[u8; 8]| SparseVec::new((0..).zip(row.iter().map(|&tf| f64::from(tf))).collect());
        tfidf(&counts.iter().map(vector).collect::<Vec<SparseVec>>())
    }

    #[test]
    fn thor_golden_internal_similarity() {
        let pages = golden_pages();
        let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        close(mean_cos(&pages, &[0, 0, 1, 1]), 0.949714);
        close(mean_cos(&pages, &[0, 0, 0, 1]), 0.930848);
        close(mean_cos(&pages, &[7, 7, 7, 7]), 0.785420);
        close(mean_cos(&pages, &[0, 0, 1, 2]), 0.999817);
        close(thor_literal(&pages, &[0; 4]), 3.141679);
        close(thor_literal(&pages, &[0, 0, 0, 1]), 2.292544);
        close(thor_literal(&pages, &[0, 0, 1, 1]), 1.899428);
        close(thor_literal(&pages, &[0, 1, 2, 3]), 1.0);
    }
}
