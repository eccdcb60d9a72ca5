//! Measures of a ranked list against yes/no relevance.

/// Positions of the items by descending score; equal scores keep their order, NaN goes last.
pub fn by_score(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let key = |i: usize| if scores[i].is_nan() { f64::NEG_INFINITY } else { scores[i] };
    order.sort_by(|&i, &j| key(j).total_cmp(&key(i)));
    order
}

/// Precision at rank R, R being the number of relevant items; equal to the recall there. 0 without relevant items.
///
/// `relevant` is the list in rank order. Used by LAMIS for index pages.
pub fn r_precision(relevant: &[bool]) -> f64 {
    let wanted = relevant.iter().filter(|&&r| r).count();
    precision_at(relevant, wanted)
}

/// Share of the first `rank` items that are relevant; a list that is too short counts as continued by wrong items.
pub fn precision_at(relevant: &[bool], rank: usize) -> f64 {
    let hits = relevant.iter().take(rank).filter(|&&r| r).count();
    if rank == 0 { 0.0 } else { hits as f64 / rank as f64 }
}

/// Interpolated precision at the recall levels 0, 0.1, ... 1: the best precision at any rank that has that recall.
pub fn precision_at_recall_levels(relevant: &[bool]) -> [f64; 11] {
    let wanted = relevant.iter().filter(|&&r| r).count();
    let mut levels = [0.0; 11];
    if wanted == 0 {
        return levels;
    }
    let mut hits = 0;
    for (i, _) in relevant.iter().enumerate().filter(|(_, r)| **r) {
        hits += 1;
        let precision = hits as f64 / (i + 1) as f64;
        for (level, best) in levels.iter_mut().enumerate() {
            // recall >= level/10 without a division
            if hits * 10 >= level * wanted && precision > *best {
                *best = precision;
            }
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_by_score() {
        assert_eq!(by_score(&[0.1, f64::NAN, 0.7, 0.1]), [2, 0, 3, 1]);
    }

    #[test]
    fn precision_at_r() {
        assert_eq!(r_precision(&[true, false, true, false, true]), 2.0 / 3.0);
        assert_eq!(r_precision(&[false, false]), 0.0);
        assert_eq!(r_precision(&[]), 0.0);
        assert_eq!(precision_at(&[true], 20), 0.05);
    }

    #[test]
    fn eleven_levels() {
        let levels = precision_at_recall_levels(&[true, false, true, false]);
        assert_eq!(&levels[..6], [1.0; 6]);
        assert!(levels[6..].iter().all(|&p| (p - 2.0 / 3.0).abs() < 1e-12));
        assert_eq!(precision_at_recall_levels(&[false]), [0.0; 11]);
    }
}
