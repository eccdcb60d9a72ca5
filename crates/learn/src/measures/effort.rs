//! Labelling effort: how much a person must tell the program, in bits.

/// Sum over the person's actions of `log2(choices)`; an action without a choice costs nothing.
///
/// Pointing at one of 128 text nodes and then at one of 256 costs 7 + 8 = 15 bits (CONFHEX).
pub fn labelling_bits(choices: impl IntoIterator<Item = usize>) -> f64 {
    choices.into_iter().map(|n| (n.max(1) as f64).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::labelling_bits;

    #[test]
    fn golden_bits() {
        assert_eq!(labelling_bits([128, 256]), 15.0);
        assert_eq!(labelling_bits([0, 1]), 0.0);
        assert_eq!(labelling_bits([]), 0.0);
    }
}
