//! A number with a unit behind it.

use super::numbers;

/// A longer word behind a number is a sentence that begins with one.
const LONGEST_UNIT: usize = 16;

/// The number and the unit of `210 g`, `68°F`, `12 reviews`. The unit is one word.
pub(super) fn measure(text: &str) -> Option<(String, &str)> {
    let (number, rest) = numbers::leading(text)?;
    let unit = rest.trim().trim_end_matches('.');
    let is_word = unit.chars().all(|c| c.is_alphabetic() || "°%‰/²³µ\"'″′·".contains(c));
    (!unit.is_empty() && is_word && unit.chars().count() <= LONGEST_UNIT).then_some((number, unit))
}

/// The unit of a measure.
pub fn unit_of(text: &str) -> Option<&str> {
    measure(text.trim()).map(|(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_behind_a_number() {
        assert_eq!(measure("1,200 m²"), Some(("1200".into(), "m²")));
        assert_eq!(measure("-3.5 °C"), Some(("-3.5".into(), "°C")));
        assert_eq!(measure("320页"), Some(("320".into(), "页")));
        for text in ["12", "g", "12 - 14 g", "3 men in a boat", "6-9", "1st of May"] {
            assert_eq!(measure(text), None, "{text}");
        }
    }
}
