//! KeyClus's comparison of a found path with a labelled one, and its small clusters.

/// Clusters below this many pages count as small (KeyClus).
pub const SMALL_CLUSTER: usize = 20;

/// True when the found path serves the labelled one: their common prefix has at least 0.9 of the labelled path's steps.
///
/// A labelled path of up to nine steps must therefore be a prefix of the found one as a whole.
pub fn path_matches<T: Eq>(found: &[T], labelled: &[T]) -> bool {
    let common = found.iter().zip(labelled).take_while(|(a, b)| a == b).count();
    common * 10 >= labelled.len() * 9
}

/// Share of the items that lie in clusters of fewer than [`SMALL_CLUSTER`] items.
pub fn share_in_small_clusters<L: Ord>(labels: &[L]) -> f64 {
    let (dense, count) = super::clustering::dense_labels(labels);
    let mut sizes = vec![0usize; count];
    dense.iter().for_each(|&c| sizes[c as usize] += 1);
    let small: usize = sizes.iter().filter(|&&s| s < SMALL_CLUSTER).sum();
    small as f64 / labels.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_tenths_of_the_labelled_path() {
        let labelled: Vec<u32> = (0..10).collect();
        assert!(path_matches(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 99], &labelled));
        assert!(!path_matches(&[0, 1, 2, 3, 4, 5, 6, 7, 99], &labelled));
        assert!(!path_matches(&labelled[..8], &labelled[..9]));
        assert!(path_matches(&labelled, &labelled[..9]));
    }

    #[test]
    fn small_clusters() {
        let labels: Vec<u8> = (0..40).map(|i| u8::from(i >= 30)).collect();
        assert_eq!(share_in_small_clusters(&labels), 0.25);
        assert_eq!(share_in_small_clusters::<u8>(&[]), 0.0);
    }
}
