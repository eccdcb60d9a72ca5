//! Calendar dates as stores with a type for them want them.

/// Days from 1970-01-01 to a date written as `2026-11-15`; `None` when it is no day of the calendar.
///
/// # Paper
/// The count of days is the one of Fliegel and Van Flandern (1968), with March as the first month.
pub(crate) fn days(text: &str) -> Option<i32> {
    let bytes = text.as_bytes();
    let is_written_so = bytes.len() == 10
        && bytes
            .iter()
            .enumerate()
            .all(|(at, b)| if at == 4 || at == 7 { *b == b'-' } else { b.is_ascii_digit() });
    if !is_written_so {
        return None;
    }
    let (year, month, day): (i32, i32, i32) =
        (text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year < 1 || day < 1 || day > longest {
        return None;
    }
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::days;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-02-29"), Some(11_016));
        assert_eq!(days("2026-11-15"), Some(20_772));
        assert_eq!(days("1969-12-31"), Some(-1));
        assert_eq!(days("0001-01-01"), Some(-719_162));
        for text in [
            "2023-02-29",
            "0000-01-01",
            "2026-13-01",
            "2026-1-01",
            "15 May 2020",
            "２026-11-15",
            "2026-11-15T",
        ] {
            assert_eq!(days(text), None, "{text}");
        }
    }
}
