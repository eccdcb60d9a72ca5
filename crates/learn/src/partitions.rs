//! All clusterings of a few items, for exact answers and for checking greedy ones.

/// Iterates over all partitions of `n` items as label vectors (restricted growth strings), from all-in-one to
/// singletons. There are Bell(n) of them: 5 for 3 items, 4,140 for 8, 115,975 for 10.
pub struct Partitions {
    next: Option<Vec<u32>>,
}

/// All partitions of `n` items.
pub fn partitions(n: usize) -> Partitions {
    Partitions { next: Some(vec![0; n]) }
}

impl Iterator for Partitions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        // Raise the last label that is not yet a new cluster of its own; reset everything behind it.
        for i in (1..current.len()).rev() {
            let highest_before = current[..i].iter().copied().max().unwrap_or(0);
            if current[i] <= highest_before {
                following[i] += 1;
                following[i + 1..].fill(0);
                self.next = Some(following);
                break;
            }
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::partitions;

    #[test]
    fn bell_numbers() {
        assert_eq!(
            (1..=8).map(|n| partitions(n).count()).collect::<Vec<_>>(),
            [1, 2, 5, 15, 52, 203, 877, 4140]
        );
        assert_eq!(partitions(0).count(), 1);
        let three: Vec<_> = partitions(3).collect();
        assert_eq!(three, [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]);
    }
}
