//! Disjoint sets: transitive closure in near-linear time.

/// A forest over items `0..n`; the root of a set is its lowest item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// `n` sets of one item each.
    pub fn new(n: usize) -> Self {
        UnionFind { parent: (0..n as u32).collect() }
    }

    /// The lowest item of the set; paths are halved on the way, so long chains cost little.
    pub fn root(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let up = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = up;
            item = up;
        }
        item
    }

    /// Joins the sets of two items; false when they were one already.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// The root of every item.
    pub fn roots(&mut self) -> Vec<u32> {
        (0..self.parent.len() as u32).map(|item| self.root(item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::UnionFind;

    #[test]
    fn joins_transitively() {
        let mut sets = UnionFind::new(6);
        assert!(sets.join(4, 2));
        assert!(sets.join(2, 5));
        assert!(!sets.join(5, 4));
        assert_eq!(sets.roots(), [0, 1, 2, 3, 2, 2]);
        assert!(UnionFind::new(0).roots().is_empty());
    }

    #[test]
    fn a_long_chain() {
        let mut sets = UnionFind::new(200_000);
        (1..200_000).rev().for_each(|i| _ = sets.join(i - 1, i));
        assert!(sets.roots().iter().all(|&r| r == 0));
    }
}
