//! Calendar dates, as far as they are given.

use super::{Expert, ExpertSet, for_columns};
use crate::kinds::FieldKind;
use crate::record::RecordIndex;
use crate::values::{PartialDate, parse_date};

/// # What it does
/// Equal in everything both give: 1. Same year and month 0.75, same year 0.6, day and month swapped 0.55, a year
/// apart 0.4, same day and month in another year 0.3, a slip of one digit in the year 0.2, otherwise 0.
/// # Assumes
/// The order of these cases; what each is worth is learned.
/// # When it fails
/// Dates before the year 1000, and relative ones ("last May").
/// # Paper
/// Date expert of CONFHEX (Gazen 2008), on values rather than formats.
pub(super) const EXPERT: Expert = Expert {
    name: "date",
    about: "dates, as far as both give them",
    set: ExpertSet::General,
    cost: 1,
    judges: |corpus| {
        for_columns(
            corpus,
            "date",
            |c| c.kind == FieldKind::Date,
            |column| {
                let dates: Vec<Option<PartialDate>> =
                    (0..corpus.len() as RecordIndex).map(|r| parse_date(column.text(r)?)).collect();
                Box::new(move |a, b| Some(compare(dates[a as usize]?, dates[b as usize]?)))
            },
        )
    },
};

fn compare(a: PartialDate, b: PartialDate) -> f32 {
    let agree = |x: Option<u16>, y: Option<u16>| x.is_none() || y.is_none() || x == y;
    let (month_a, month_b) = (a.month.map(u16::from), b.month.map(u16::from));
    let (day_a, day_b) = (a.day.map(u16::from), b.day.map(u16::from));
    let year = agree(a.year, b.year);
    let (month, day) = (agree(month_a, month_b), agree(day_a, day_b));
    let swapped = day_a.is_some() && day_a == month_b && day_b == month_a;
    match (year, month, day) {
        (true, true, true) => 1.0,
        (true, _, _) if swapped => 0.55,
        (true, true, false) => 0.75,
        (true, false, _) => 0.6,
        _ => {
            let (x, y) = (a.year.unwrap_or(0), b.year.unwrap_or(0));
            let one_digit =
                x.to_string().bytes().zip(y.to_string().bytes()).filter(|(p, q)| p != q).count() == 1;
            if x.abs_diff(y) == 1 {
                0.4
            } else if month_a.is_some() && day_a.is_some() && month && day {
                0.3
            } else if one_digit {
                0.2
            } else {
                0.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_are_ordered() {
        let date = |y: u16, m: u8, d: u8| PartialDate { year: Some(y), month: Some(m), day: Some(d) };
        let base = date(1990, 3, 7);
        let scores: Vec<f32> = [
            PartialDate { year: Some(1990), month: None, day: None },
            date(1990, 3, 8),
            date(1990, 4, 7),
            date(1990, 7, 3),
            date(1991, 3, 7),
            date(1950, 3, 7),
            date(1998, 1, 1),
            date(2011, 1, 1),
        ]
        .into_iter()
        .map(|other| compare(base, other))
        .collect();
        assert!(scores.windows(2).all(|w| w[0] > w[1]), "{scores:?}");
    }
}
