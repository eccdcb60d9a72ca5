//! Numbers inside text: editions, years, parts.

use super::{Expert, ExpertSet, for_columns};
use crate::corpus::Column;
use crate::kinds::FieldKind;
use crate::record::RecordIndex;
use crate::record::RecordSet;

/// # What it does
/// Reads years ("1993", "'93", "ML-93") and other numbers ("tenth", "4th", "II", "vol. 6") out of two values. The first number
/// of a kind that both have decides: 1 when all years (or all other numbers) agree, 0.5 when some do, 0 when none does. No
/// opinion when no kind of number is in both.
/// # Assumes
/// Numbers in a text tell editions and parts apart.
/// # When it fails
/// A paper's pages or a year of printing that only one of the values carries along with another number.
/// # Paper
/// Ours; the thesis's journal-article expert does it for volume and page.
pub(super) const EXPERT: Expert = Expert {
    name: "numerals",
    about: "editions, years and part numbers inside text",
    set: ExpertSet::General,
    cost: 2,
    judges: |corpus| {
        for_columns(
            corpus,
            "numerals",
            |c| c.kind == FieldKind::Text,
            |column| {
                let (numbers, starts) = read_column(corpus.records, column);
                Box::new(move |a, b| {
                    let side = |r: RecordIndex| {
                        &numbers[starts[r as usize] as usize..starts[r as usize + 1] as usize]
                    };
                    compare(side(a), side(b))
                })
            },
        )
    },
};

/// A number with its kind in the sign: years are negative.
type Numeral = i32;

/// Numbers kept of one value; a list of page numbers is not an edition.
const MOST: usize = 4;

fn read_column(records: &RecordSet, column: &Column) -> (Vec<Numeral>, Vec<u32>) {
    let (mut numbers, mut starts) = (Vec::new(), vec![0_u32]);
    for record in 0..records.len() as RecordIndex {
        if column.text(record).is_some() {
            numbers.extend(records.value(record, column.field).map(numerals).unwrap_or_default());
        }
        starts.push(numbers.len() as u32);
    }
    (numbers, starts)
}

fn compare(a: &[Numeral], b: &[Numeral]) -> Option<f32> {
    let mut scores = Vec::new();
    for years in [true, false] {
        let of = |side: &[Numeral]| -> Vec<Numeral> {
            side.iter().copied().filter(|n| (*n < 0) == years).collect()
        };
        let (x, y) = (of(a), of(b));
        if !x.is_empty() && !y.is_empty() {
            let shared = x.iter().filter(|n| y.contains(n)).count();
            scores.push(if shared == 0 {
                0.0
            } else if shared == x.len().max(y.len()) {
                1.0
            } else {
                0.5
            });
        }
    }
    if scores.is_empty() { None } else { Some(scores.iter().sum::<f32>() / scores.len() as f32) }
}

fn numerals(raw: &str) -> Vec<Numeral> {
    let mut out: Vec<Numeral> = Vec::new();
    let text: String = raw.chars().take(crate::text::COMPARED_CHARS).collect();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && out.len() < MOST {
        let start = at;
        if bytes[at].is_ascii_digit() {
            at += bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            if let Ok(n) = text[start..at].parse::<i32>() {
                // Two digits right after a letter, hyphen or apostrophe are a year: ML93, ML-93, ML '93.
                let marked = start > 0
                    && (matches!(bytes[start - 1], b'-' | b'\'' | b'`')
                        || bytes[start - 1].is_ascii_alphabetic());
                let short_year = at - start == 2 && n >= 50 && marked;
                let year = if short_year {
                    Some(1900 + n)
                } else {
                    Some(n).filter(|n| at - start == 4 && (1800..2100).contains(n))
                };
                out.push(year.map_or(n, |y| -y));
            }
        } else if bytes[at].is_ascii_alphabetic() {
            at += bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
            out.extend(spelled(&text[start..at]));
        } else {
            at += 1;
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Ordinals in words, and Roman numerals in capitals of at least two letters.
fn spelled(word: &str) -> Option<Numeral> {
    const ORDINALS: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    const ROMANS: [&str; 11] = ["II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII", "XIII", "XIV"];
    const ROMAN_VALUES: [Numeral; 11] = [2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14];
    let lower = word.to_ascii_lowercase();
    if let Some(at) = ORDINALS.iter().position(|o| *o == lower) {
        return Some(at as Numeral + 1);
    }
    ROMANS.iter().position(|r| *r == word).map(|at| ROMAN_VALUES[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions_and_years_are_read() {
        assert_eq!(numerals("Proc. of the Tenth Conf., 1993"), [-1993, 10]);
        assert_eq!(numerals("In ML-93"), [-1993]);
        assert_eq!(numerals("4 th workshop"), [4]);
        assert_eq!(numerals("Volume II"), [2]);
        assert_eq!(numerals("no numbers"), [] as [i32; 0]);
    }

    #[test]
    fn only_like_kinds_are_compared() {
        assert_eq!(compare(&numerals("ML-93"), &numerals("ML-94")), Some(0.0));
        assert_eq!(compare(&numerals("ML-93"), &numerals("the tenth")), None);
        assert_eq!(compare(&numerals("10th, 1993"), &numerals("tenth")), Some(1.0));
    }
}
