//! Tag sequences as number series.

/// A start or end tag as the encodings see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    /// Its code in the order in use, from 1: of its name, of its path, or of it and the tag behind it.
    pub(super) code: u32,
    /// True for an end tag.
    pub(super) end: bool,
    /// How many elements are open where it stands.
    pub(super) level: u32,
}

/// What an end tag counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndTag {
    /// Nothing. The paper does not say which it used; this is our choice.
    Null,
    /// The start tag's code with a minus.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the paper's other variant, kept under its golden numbers")
    )]
    Symmetric,
    /// A code of its own, as in the pairwise order.
    Own,
}

impl EndTag {
    fn value(self, tag: &Tag) -> f64 {
        match (tag.end, self) {
            (true, EndTag::Null) => 0.0,
            (true, EndTag::Symmetric) => -f64::from(tag.code),
            _ => f64::from(tag.code),
        }
    }
}

/// `S_i = code(t_i)`.
pub(super) fn trivial(tags: &[Tag], ends: EndTag) -> Vec<f64> {
    tags.iter().map(|tag| ends.value(tag)).collect()
}

/// `S_i = sum over k <= i of code(t_k)`.
pub(super) fn linear(tags: &[Tag], ends: EndTag) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |tag| {
        sum += ends.value(tag);
        sum
    };
    tags.iter().map(add).collect()
}

/// `S_i = code(t_i) * B^(-l_i) + sum over the open tags t_j of code(t_j) * B^(-l_j)`: the printed series divided by
/// `B^maxdepth`, which would overflow on deep pages.
pub(super) fn multilevel(tags: &[Tag], ends: EndTag, base: f64) -> Vec<f64> {
    // Sums over the open elements, one for each level.
    let mut open: Vec<f64> = vec![0.0];
    let scale = |level: u32| base.powi(-(level.min(i32::MAX as u32) as i32));
    tags.iter()
        .map(|tag| {
            let level = tag.level as usize;
            open.truncate(level + 1);
            let above = open.last().copied().unwrap_or(0.0);
            let value = above + ends.value(tag) * scale(tag.level);
            if !tag.end {
                open.push(value);
            }
            value
        })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use unsite_learn::dft::{exact_distance, magnitudes};

    /// The paper's "book": xml book title /title author /author author /author publisher /publisher /book /xml.
    pub(in super::super) fn book(authors: usize) -> Vec<Tag> {
        let start = |code, level| Tag { code, end: false, level };
        let end = |code, level| Tag { code, end: true, level };
        let mut tags = vec![start(1, 0), start(2, 1), start(3, 2), end(3, 3)];
        (0..authors).for_each(|_| tags.extend([start(4, 2), end(4, 3)]));
        tags.extend([start(5, 2), end(5, 3), end(2, 2), end(1, 1)]);
        tags
    }

    fn whole(series: &[f64]) -> Vec<i64> {
        series.iter().map(|x| x.round() as i64).collect()
    }

    #[test]
    fn golden_levels_and_direct_codes() {
        let levels: Vec<u32> = book(2).iter().map(|tag| tag.level).collect();
        assert_eq!(levels, [0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1]);
        let of = |series: Vec<f64>| whole(&series);
        assert_eq!(of(trivial(&book(2), EndTag::Null)), [1, 2, 3, 0, 4, 0, 4, 0, 5, 0, 0, 0]);
        assert_eq!(of(linear(&book(2), EndTag::Null)), [1, 3, 6, 6, 10, 10, 14, 14, 19, 19, 19, 19]);
        assert_eq!(of(trivial(&book(2), EndTag::Symmetric)), [1, 2, 3, -3, 4, -4, 4, -4, 5, -5, -2, -1]);
        assert_eq!(of(linear(&book(2), EndTag::Symmetric)), [1, 3, 6, 3, 7, 3, 7, 3, 8, 3, 1, 0]);
    }

    #[test]
    fn golden_multilevel_codes() {
        let times = |ends, depth: i32| {
            let series = multilevel(&book(2), ends, 6.0);
            whole(&series.iter().map(|x| x * 6f64.powi(depth)).collect::<Vec<_>>())
        };
        assert_eq!(times(EndTag::Null, 3), [216, 288, 306, 306, 312, 312, 312, 312, 318, 318, 288, 216]);
        assert_eq!(times(EndTag::Symmetric, 3), [216, 288, 306, 303, 312, 308, 312, 308, 318, 313, 276, 180]);
        assert_eq!(times(EndTag::Null, 2), [36, 48, 51, 51, 52, 52, 52, 52, 53, 53, 48, 36]);
    }

    #[test]
    fn golden_spectrum_and_distances() {
        let got = magnitudes(&trivial(&book(2), EndTag::Null), 12);
        let want = [19.0, 5.067494, 5.196152, 3.605551, 2.645751, 7.766628, 15.0];
        assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-6));
        for (ends, want) in [(EndTag::Null, 7.995874), (EndTag::Symmetric, 13.203739)] {
            let (two, one) = (trivial(&book(2), ends), trivial(&book(1), ends));
            assert!((exact_distance(&two, &one) - want).abs() < 1e-6);
            assert_eq!(exact_distance(&two, &two), 0.0);
        }
    }

    #[test]
    fn deep_pages_stay_finite() {
        let tags: Vec<Tag> = (0..5_000).map(|level| Tag { code: 60, end: false, level }).collect();
        assert!(multilevel(&tags, EndTag::Null, 61.0).iter().all(|x| x.is_finite()));
        assert!(multilevel(&[], EndTag::Null, 61.0).is_empty());
    }
}
