//! Hubs and authorities of a weighted link graph: HITS and its link-normalised form, SALSA.

use crate::union_find::UnionFind;

/// Rounds of [`Graph::hits`] in LAMIS's example; its golden values are those after 10 rounds.
pub const HITS_ROUNDS: usize = 10;

/// A sparse directed graph with weights, stored by source. Sources and targets may be of different kinds (blocks that
/// link to pages).
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    sources: usize,
    targets: usize,
    start: Vec<usize>,
    links: Vec<(u32, f64)>,
}

/// A hub value for each source, an authority value for each target.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// How well a source points to good targets.
    pub hub: Vec<f64>,
    /// How well a target is pointed to by good sources.
    pub authority: Vec<f64>,
}

impl Graph {
    /// A graph of `nodes` pages. Parallel links add up; links of a page to itself, outside `0..nodes`, or without
    /// positive weight are dropped.
    pub fn new(nodes: usize, links: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        Graph::bipartite(nodes, nodes, links.into_iter().filter(|l| l.0 != l.1))
    }

    /// A graph whose sources and targets are numbered separately, such as blocks and pages.
    pub fn bipartite(
        sources: usize,
        targets: usize,
        links: impl IntoIterator<Item = (u32, u32, f64)>,
    ) -> Self {
        let fits = |l: &(u32, u32, f64)| {
            (l.0 as usize) < sources && (l.1 as usize) < targets && l.2 > 0.0 && l.2.is_finite()
        };
        let mut all: Vec<(u32, u32, f64)> = links.into_iter().filter(fits).collect();
        all.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        all.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let mut start = vec![0; sources + 1];
        all.iter().for_each(|l| start[l.0 as usize + 1] += 1);
        for i in 0..sources {
            start[i + 1] += start[i];
        }
        Graph { sources, targets, start, links: all.into_iter().map(|l| (l.1, l.2)).collect() }
    }

    /// Number of distinct links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// The links of a source: (target, weight), sorted by target.
    pub fn links_of(&self, source: usize) -> &[(u32, f64)] {
        &self.links[self.start[source]..self.start[source + 1]]
    }

    /// Weighted HITS.
    ///
    /// # What it does
    /// All hubs start at 1; each round sets `A(v) = sum_u H(u) alpha(u,v)`, divides by the Euclidean length, then
    /// `H(u) = sum_v A(v) alpha(u,v)` from the new A, and divides again. Linear in the links.
    /// # Assumes
    /// Weights of 1 give Kleinberg's HITS; `1 - entropy of the anchor text` gives LAMIS.
    /// # When it fails
    /// The most tightly knit community takes everything; use [`Graph::salsa`] then.
    /// # Paper
    /// Kleinberg 1999; Kao, Lin, Ho, Chen (LAMIS).
    pub fn hits(&self, rounds: usize) -> Ranks {
        let mut hub = vec![1.0; self.sources];
        let mut authority = vec![0.0; self.targets];
        for _ in 0..rounds {
            authority.fill(0.0);
            for (source, h) in hub.iter().enumerate() {
                self.links_of(source).iter().for_each(|&(to, w)| authority[to as usize] += h * w);
            }
            scale_to_unit(&mut authority);
            for (source, h) in hub.iter_mut().enumerate() {
                *h = self.links_of(source).iter().map(|&(to, w)| authority[to as usize] * w).sum();
            }
            scale_to_unit(&mut hub);
        }
        Ranks { hub, authority }
    }

    /// Link-normalised HITS (SALSA) in closed form; both sides sum to 1.
    ///
    /// # What it does
    /// Inside a connected component of the bipartite graph the stationary authority of a target is proportional to its
    /// incoming weight, the hub value of a source to its outgoing weight. A component receives the share of its targets
    /// (sources) among all targets (sources) that have links. Linear in the links.
    /// # Assumes
    /// Weights as in [`Graph::hits`].
    /// # When it fails
    /// On one component it is a weighted count of links, no more.
    /// # Paper
    /// Lempel and Moran 2001 (SALSA); the LN variants of LAMIS.
    pub fn salsa(&self) -> Ranks {
        let (outgoing, incoming) = self.weights();
        // Union of sources (0..sources) and targets (sources..) along the links.
        let mut sets = UnionFind::new(self.sources + self.targets);
        for source in 0..self.sources {
            let links = self.links_of(source).iter();
            links.for_each(|&(to, _)| _ = sets.join(source as u32, to + self.sources as u32));
        }
        let component = sets.roots();
        let (of_source, of_target) = component.split_at(self.sources);
        Ranks { hub: share_out(&outgoing, of_source), authority: share_out(&incoming, of_target) }
    }

    /// Summed weights of the links of each source and of the links to each target.
    fn weights(&self) -> (Vec<f64>, Vec<f64>) {
        let mut incoming = vec![0.0; self.targets];
        let outgoing = (0..self.sources)
            .map(|source| {
                self.links_of(source).iter().fold(0.0, |sum, &(to, w)| {
                    incoming[to as usize] += w;
                    sum + w
                })
            })
            .collect();
        (outgoing, incoming)
    }
}

/// LAMIS's weight of a link by the length of its anchor: `alpha * (1 + log10(terms))`; no term, no weight.
pub fn anchor_length_weight(alpha: f64, terms: usize) -> f64 {
    if terms == 0 { 0.0 } else { alpha * (1.0 + (terms as f64).log10()) }
}

/// LAMIS's hybrid rank `hub - n * authority` with `n = max(0, log2(links / 1000))`; below 1,000 links authority would
/// be rewarded, so `n` stays at 0 there.
pub fn hybrid_rank(hub: f64, authority: f64, links: usize) -> f64 {
    hub - hybrid_weight(links) * authority
}

fn hybrid_weight(links: usize) -> f64 {
    (links as f64 / 1000.0).log2().max(0.0)
}

fn scale_to_unit(values: &mut [f64]) {
    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        values.iter_mut().for_each(|x| *x /= length);
    }
}

/// Each node's share: its part of the weight in its component times the component's part of the linked nodes.
fn share_out(weight: &[f64], component: &[u32]) -> Vec<f64> {
    let size = component.iter().max().map_or(0, |m| *m as usize + 1);
    let mut mass = vec![0.0; size];
    let mut members = vec![0.0; size];
    for (w, &c) in weight.iter().zip(component).filter(|(w, _)| **w > 0.0) {
        mass[c as usize] += w;
        members[c as usize] += 1.0;
    }
    let linked: f64 = members.iter().sum();
    let share = |(w, &c): (&f64, &u32)| {
        if *w > 0.0 { w / mass[c as usize] * members[c as usize] / linked } else { 0.0 }
    };
    weight.iter().zip(component).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::tests::lamis_terms;
    use proptest::prelude::*;

    /// LAMIS's example: from, to, terms of the anchor.
    const LINKS: [(u32, u32, &[u32]); 15] = [
        (0, 1, &[0, 1]),
        (0, 2, &[5]),
        (1, 3, &[3]),
        (1, 4, &[4]),
        (1, 0, &[2]),
        (1, 2, &[5]),
        (2, 0, &[2]),
        (3, 1, &[0, 1]),
        (3, 0, &[2]),
        (3, 2, &[5]),
        (3, 4, &[1, 4]),
        (4, 1, &[0, 1]),
        (4, 0, &[2]),
        (4, 2, &[5]),
        (4, 3, &[1, 3]),
    ];

    fn plain() -> Graph {
        Graph::new(5, LINKS.iter().map(|&(u, v, _)| (u, v, 1.0)))
    }

    fn alpha(terms: &[u32]) -> f64 {
        1.0 - lamis_terms().mean(terms.iter().copied()).unwrap_or(1.0)
    }

    fn informed() -> Graph {
        Graph::new(5, LINKS.iter().map(|&(u, v, t)| (u, v, alpha(t))))
    }

    fn close(got: &[f64], want: [f64; 5]) {
        assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-6), "{got:?} is not {want:?}");
    }

    #[test]
    fn golden_hits() {
        let ranks = plain().hits(HITS_ROUNDS);
        close(&ranks.authority, [0.534632, 0.419200, 0.575708, 0.321714, 0.321714]);
        close(&ranks.hub, [0.297210, 0.523906, 0.159712, 0.553028, 0.553028]);
    }

    #[test]
    fn golden_entropy_weighted_hits() {
        let ranks = informed().hits(HITS_ROUNDS);
        close(&ranks.authority, [0.228874, 0.337769, 0.243950, 0.622100, 0.622100]);
        close(&ranks.hub, [0.142287, 0.756230, 0.031008, 0.451060, 0.451060]);
        let printed = [0.142, 0.756, 0.031, 0.451, 0.451];
        assert!(ranks.hub.iter().zip(printed).all(|(h, p)| (h - p).abs() < 1e-3));
    }

    #[test]
    fn golden_salsa() {
        let ranks = plain().salsa();
        close(&ranks.authority, [0.266667, 0.2, 0.266667, 0.133333, 0.133333]);
        close(&ranks.hub, [0.133333, 0.266667, 0.066667, 0.266667, 0.266667]);
    }

    #[test]
    fn golden_lamis_ln() {
        let ranks = informed().salsa();
        close(&ranks.authority, [0.133488, 0.238989, 0.133488, 0.247017, 0.247017]);
        close(&ranks.hub, [0.113035, 0.340814, 0.033372, 0.256390, 0.256390]);
        let long = |terms: &[u32]| anchor_length_weight(alpha(terms), terms.len());
        assert!((long(&[0, 1]) - 0.430599).abs() < 1e-6);
        assert!((long(&[1, 4]) - 0.594483).abs() < 1e-6);
        let ranks = Graph::new(5, LINKS.iter().map(|&(u, v, t)| (u, v, long(t)))).salsa();
        close(&ranks.authority, [0.117284, 0.273189, 0.117284, 0.246122, 0.246122]);
        close(&ranks.hub, [0.120384, 0.299443, 0.029321, 0.275426, 0.275426]);
    }

    #[test]
    fn golden_augmentations() {
        assert_eq!(anchor_length_weight(0.5, 10), 1.0);
        assert_eq!(anchor_length_weight(0.5, 0), 0.0);
        for (links, want) in [(1_339, 0.4212), (26_848, 4.7467), (34_882, 5.1244), (711, 0.0), (0, 0.0)] {
            assert!((hybrid_weight(links) - want).abs() < 5e-5);
        }
        assert!((hybrid_rank(0.9, 0.1, 2_000) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn odd_links() {
        let g = Graph::new(
            3,
            [(0, 0, 1.0), (0, 1, 1.0), (0, 1, 2.0), (0, 9, 1.0), (1, 2, f64::NAN), (2, 1, -1.0)],
        );
        assert_eq!(g.link_count(), 1);
        assert_eq!(g.links_of(0), [(1, 3.0)]);
        assert_eq!(g.salsa().authority, [0.0, 1.0, 0.0]);
        assert_eq!(Graph::new(0, []).hits(3).hub.len(), 0);
        assert_eq!(Graph::new(2, []).salsa().hub, [0.0, 0.0]);
        let blocks = Graph::bipartite(1, 3, [(0, 0, 1.0), (0, 2, 1.0)]);
        assert_eq!(blocks.salsa().authority, [0.5, 0.0, 0.5]);
    }

    proptest! {
        /// The closed form is a fixed point of the normalised iteration, component by component.
        #[test]
        fn salsa_is_stationary(links in proptest::collection::vec((0u32..6, 0u32..6, 0.1f64..2.0), 1..20)) {
            let g = Graph::new(6, links);
            let ranks = g.salsa();
            let (out, inward) = g.weights();
            let mut back = [0.0; 6];
            for (u, out) in out.iter().enumerate() {
                let hub: f64 =
                    g.links_of(u).iter().map(|&(v, w)| ranks.authority[v as usize] * w / inward[v as usize]).sum();
                g.links_of(u).iter().for_each(|&(v, w)| back[v as usize] += hub * w / out);
            }
            prop_assert!(back.iter().zip(&ranks.authority).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
