//! Shannon entropy, and LAMIS's entropy of features over pages.

/// `-sum p ln p / ln base` of weights that are first divided by their sum; `0 log 0 = 0`.
///
/// A base of 1 or less (one page, one class) gives 0.
pub fn shannon(weights: impl IntoIterator<Item = f64>, base: f64) -> f64 {
    // H = ln S - (1/S) sum x ln x, so one pass is enough.
    let (mut sum, mut sum_log) = (0.0, 0.0);
    for x in weights.into_iter().filter(|x| *x > 0.0 && x.is_finite()) {
        sum += x;
        sum_log += x * x.ln();
    }
    if sum <= 0.0 || base.is_nan() || base <= 1.0 {
        return 0.0;
    }
    ((sum.ln() - sum_log / sum) / base.ln()).max(0.0)
}

/// The entropy of every feature (term) over the pages of a set.
///
/// # What it does
/// `w(i,j) = f(i,j) / sum_j f(i,j)`, `E(T_i) = -sum_j w(i,j) log_n w(i,j)` with `n` the number of pages: 0 for a term of one
/// page, 1 for a term spread evenly over all pages (navigation). Linear in the number of counts.
/// # Assumes
/// Pages of one site or one kind; counts of the same features on all of them.
/// # When it fails
/// With few pages most terms look informative. One page gives 0 for everything.
/// # Paper
/// Kao, Lin, Ho, Chen (LAMIS and InfoDiscoverer).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeatureEntropy {
    /// By feature.
    entropies: Vec<Option<f64>>,
}

impl FeatureEntropy {
    /// From counts `(page, feature, occurrences)` in any order over `pages` pages; repeated entries add up. Features are
    /// numbered from 0 without large gaps: what is kept grows with the largest.
    pub fn new(pages: usize, counts: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let all: Vec<(u32, u32, f64)> = counts.into_iter().collect();
        let features = all.iter().map(|count| count.1 as usize + 1).max().unwrap_or(0);
        // Counts by feature: where those of each begin, then those themselves.
        let mut starts = vec![0usize; features + 1];
        all.iter().for_each(|count| starts[count.1 as usize + 1] += 1);
        for at in 0..features {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut by_feature = vec![(0u32, 0.0f64); all.len()];
        for (page, feature, count) in all {
            let place = &mut next[feature as usize];
            by_feature[*place] = (page, count);
            *place += 1;
        }
        let entropy = |at: usize| {
            let rows = &mut by_feature[starts[at]..starts[at + 1]];
            if !rows.is_sorted() {
                rows.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            }
            let per_page = rows.chunk_by(|a, b| a.0 == b.0).map(|same| same.iter().map(|row| row.1).sum());
            (!rows.is_empty()).then(|| shannon(per_page, pages as f64))
        };
        FeatureEntropy { entropies: (0..features).map(entropy).collect() }
    }

    /// Entropy of a feature, `None` when it was never counted.
    pub fn get(&self, feature: u32) -> Option<f64> {
        self.entropies.get(feature as usize).copied().flatten()
    }

    /// Mean entropy of the features given, unknown ones left out; `None` when none is left.
    ///
    /// Give distinct terms for an anchor text, occurrences for a block; an anchor without terms then has no entropy, and
    /// LAMIS weighs it 0.
    pub fn mean(&self, features: impl IntoIterator<Item = u32>) -> Option<f64> {
        let known = features.into_iter().filter_map(|feature| self.get(feature));
        let (count, sum) = known.fold((0, 0.0), |(count, sum), entropy| (count + 1, sum + entropy));
        (count > 0).then(|| sum / f64::from(count))
    }
}

/// Steps of the threshold search: `t = 0, 0.1, ... 1`.
const STEPS: usize = 10;

/// Entropies are sums of many logarithms; one that is a threshold but for rounding is within it.
const ROUNDING: f64 = 1e-9;

/// InfoDiscoverer's threshold: blocks with at most this entropy are informative.
///
/// # What it does
/// Draws the curve of how many distinct features the blocks within `t` have, for `t = 0, 0.1, ... 1`; leaves `t = 1` out,
/// which admits everything; takes the start of the longest plateau, and of equally long ones the later. What lies before
/// the first feature is no plateau: nothing is informative there. Linear in the features.
/// # Assumes
/// Redundant blocks (navigation, notices) have clearly higher entropies than the others, so that there is a gap.
/// # When it fails
/// Where all blocks are redundant, or none, the plateau is an accident. A set of one page has no entropies to speak of.
/// # Paper
/// Lin, Ho: InfoDiscoverer (SIGKDD 2002), which raises `t` until no feature is added. Taken literally that stops at once or
/// never; this reading reproduces its intent.
pub fn informative_threshold<'f>(blocks: impl IntoIterator<Item = (f64, &'f [u32])>) -> f64 {
    let curve = feature_curve(blocks);
    let mut best = (0, 0);
    let mut start = curve[..STEPS].iter().position(|&features| features > 0).unwrap_or(STEPS);
    for at in start + 1..=STEPS {
        if at == STEPS || curve[at] != curve[start] {
            if at - start >= best.1 {
                best = (start, at - start);
            }
            start = at;
        }
    }
    best.0 as f64 / STEPS as f64
}

/// Whether a block of this entropy is within the threshold.
pub fn is_informative(entropy: f64, threshold: f64) -> bool {
    entropy <= threshold + ROUNDING
}

/// How many distinct features the blocks within each step of the threshold have.
fn feature_curve<'f>(blocks: impl IntoIterator<Item = (f64, &'f [u32])>) -> [usize; STEPS + 1] {
    // By feature the first step that has it.
    let mut first: Vec<u8> = Vec::new();
    for (entropy, features) in blocks {
        let step = ((entropy - ROUNDING) * STEPS as f64).ceil().clamp(0.0, STEPS as f64) as u8;
        for &feature in features {
            if first.len() <= feature as usize {
                first.resize(feature as usize + 1, u8::MAX);
            }
            first[feature as usize] = first[feature as usize].min(step);
        }
    }
    let mut curve = [0; STEPS + 1];
    for step in first.into_iter().filter(|&step| step < u8::MAX) {
        curve[step as usize] += 1;
    }
    for at in 1..=STEPS {
        curve[at] += curve[at - 1];
    }
    curve
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn close(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-6, "{got} is not {want}");
    }

    /// The five pages of LAMIS's example: terms 0..6 = hot, news, home, title of P3, title of P4, sales.
    pub(crate) fn lamis_terms() -> FeatureEntropy {
        let rows: [(u32, &[(u32, f64)]); 6] = [
            (0, &[(0, 1.0), (3, 1.0), (4, 1.0)]),
            (1, &[(0, 1.0), (3, 2.0), (4, 2.0)]),
            (2, &[(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]),
            (3, &[(1, 1.0), (4, 1.0)]),
            (4, &[(1, 1.0), (3, 1.0)]),
            (5, &[(0, 1.0), (1, 1.0), (3, 1.0), (4, 1.0)]),
        ];
        FeatureEntropy::new(5, rows.iter().flat_map(|(f, cells)| cells.iter().map(|&(p, c)| (p, *f, c))))
    }

    #[test]
    fn shannon_bases_and_edges() {
        close(shannon([1.0, 1.0, 1.0, 1.0], 2.0), 2.0);
        close(shannon([3.0, 0.0, 3.0], 2.0), 1.0);
        close(shannon([0.5, 0.25, 0.25], 2.0), 1.5);
        for (weights, base) in [(vec![], 2.0), (vec![5.0], 2.0), (vec![1.0, 1.0], 1.0), (vec![f64::NAN], 2.0)]
        {
            assert_eq!(shannon(weights, base), 0.0);
        }
    }

    #[test]
    fn lamis_golden_terms_and_links() {
        let e = lamis_terms();
        for (term, want) in
            [(0, 0.682606), (1, 0.655459), (2, 0.861353), (3, 0.430677), (4, 0.430677), (5, 0.861353)]
        {
            close(e.get(term).unwrap(), want);
        }
        close(e.mean([0, 1]).unwrap(), 0.669032);
        close(e.mean([1, 4]).unwrap(), 0.543068);
        assert_eq!(e.mean([]), None);
        assert_eq!(e.mean([77]), None);
    }

    #[test]
    fn infodiscoverer_golden_blocks() {
        // home, news, quake, vote, cup, today over three pages.
        let tf = [[1, 1, 1], [2, 1, 1], [3, 0, 0], [0, 2, 0], [0, 0, 4], [1, 1, 0]];
        let counts = tf.iter().enumerate().flat_map(|(f, row)| {
            row.iter().enumerate().map(move |(page, &c)| (page as u32, f as u32, f64::from(c)))
        });
        let e = FeatureEntropy::new(3, counts);
        for (term, want) in [1.0, 0.946395, 0.0, 0.0, 0.0, 0.630930].into_iter().enumerate() {
            close(e.get(term as u32).unwrap(), want);
        }
        let blocks: [(&[u32], f64); 4] =
            [(&[0, 1], 0.973197), (&[2, 5], 0.315465), (&[3, 5, 1], 0.525775), (&[4], 0.0)];
        for (block, want) in blocks {
            close(e.mean(block.iter().copied()).unwrap(), want);
        }
        let counted: Vec<(f64, &[u32])> =
            blocks.iter().map(|(block, _)| (e.mean(block.iter().copied()).unwrap(), *block)).collect();
        assert_eq!(feature_curve(counted.iter().copied()), [1, 1, 1, 1, 3, 3, 5, 5, 5, 5, 6]);
        let threshold = informative_threshold(counted.iter().copied());
        assert_eq!(threshold, 0.6);
        let informative: Vec<bool> =
            counted.iter().map(|(entropy, _)| is_informative(*entropy, threshold)).collect();
        assert_eq!(informative, [false, true, true, true]);
    }

    #[test]
    fn thresholds_of_odd_sets() {
        assert_eq!(informative_threshold([]), 0.0);
        // Exactly on a step, but for rounding.
        assert_eq!(feature_curve([(0.3 + 1e-12, [7u32].as_slice())])[3], 1);
        // Pages of lists may have no block below .6 at all; those just above inform all the same.
        let lists: [(f64, &[u32]); 3] = [(0.62, &[1, 2]), (0.66, &[3]), (1.0, &[4])];
        assert_eq!(informative_threshold(lists), 0.7);
        // Everything is redundant: nothing below 1 has a feature.
        assert_eq!(informative_threshold([(0.99, [1u32, 2].as_slice())]), 0.0);
        assert!(!is_informative(0.99, 0.0) && is_informative(0.0, 0.0));
    }
}
