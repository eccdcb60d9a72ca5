//! Reading numbers, dates and person names out of text.

/// A calendar date, as much of it as the text gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartialDate {
    /// Four digits; two-digit years are placed between 1930 and 2029.
    pub year: Option<u16>,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31.
    pub day: Option<u8>,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a date from folded text (`fold`): a year alone, ISO order, day-month-year, month names.
///
/// Day and month written as numbers in doubtful order are read as day first unless that is impossible; two values
/// in the same order still compare equal.
pub fn parse_date(folded: &str) -> Option<PartialDate> {
    let mut date = PartialDate::default();
    let mut small: Vec<u8> = Vec::new();
    let mut rest = 0_usize;
    for word in crate::text::words(folded).take(12) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let number: Option<u32> = word.get(..digits).and_then(|d| d.parse().ok());
        let tail = word.get(digits..).unwrap_or("");
        match number {
            Some(n) if digits == 8 && tail.is_empty() && plausible_year(n / 10_000) => {
                date.year = Some((n / 10_000) as u16);
                small.extend([(n / 100 % 100) as u8, (n % 100) as u8]);
            }
            Some(n) if digits == 4 && plausible_year(n) && tail.len() <= 1 && date.year.is_none() => {
                date.year = Some(n as u16);
                if small.is_empty() {
                    small.reserve(2);
                }
            }
            Some(n) if digits <= 2 && n <= 99 && matches!(tail, "" | "st" | "nd" | "rd" | "th" | "t") => {
                small.push(n as u8)
            }
            _ => match month_of(word) {
                Some(month) if date.month.is_none() => date.month = Some(month),
                _ => rest += 1,
            },
        }
    }
    if rest > 2 {
        return None;
    }
    let year_first = date.year.is_some() && crate::text::words(folded).next().is_some_and(|w| w.len() >= 4);
    for &n in &small {
        if date.month.is_none() && (year_first || date.day.is_some()) && (1..=12).contains(&n) {
            date.month = Some(n);
        } else if date.day.is_none() && (1..=31).contains(&n) {
            date.day = Some(n);
        } else if date.year.is_none() {
            date.year = Some(if n < 30 { 2000 } else { 1900 } + u16::from(n));
        }
    }
    // 12/25/1999: the day cannot be a month, the month can be a day.
    if date.month.is_none() && small.len() >= 2 && date.day.is_some_and(|d| d <= 12) {
        date.month = date.day;
        date.day = small.iter().copied().find(|&n| (13..=31).contains(&n));
    }
    (date.year.is_some() || (date.month.is_some() && date.day.is_some())).then_some(date)
}

/// Reads a number: currency signs, units, thousands separators and percent signs are looked through.
pub fn parse_number(text: &str) -> Option<f64> {
    let trimmed = text.trim();
    let start = trimmed.find(|c: char| c.is_ascii_digit())?;
    let before = &trimmed[..start];
    if before.chars().filter(|c| c.is_alphabetic()).count() > 3 {
        return None;
    }
    let body: &str = &trimmed[start..];
    let end = body
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\'')))
        .unwrap_or(body.len());
    let after = body[end..].trim();
    if after.chars().count() > 6 || after.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = decimal_form(body[..end].trim_end_matches(['.', ',', ' ', '\'']));
    let value: f64 = digits.parse().ok()?;
    let negative =
        before.trim_end().ends_with(['-', '−']) || trimmed.starts_with('(') && trimmed.ends_with(')');
    value.is_finite().then_some(if negative { -value } else { value })
}

/// Whether a folded text looks like the names of people: few words a person, no digits, initials or a comma.
pub fn looks_like_names(raw: &str) -> bool {
    let mut people = 0;
    for person in raw.split([';', ',', '&']).flat_map(|p| p.split(" and ")) {
        let mut words = 0;
        for word in person.split([' ', '.']).filter(|w| !w.is_empty()) {
            let first = word.chars().next().unwrap_or(' ');
            if word.chars().any(|c| c.is_ascii_digit()) || word.chars().count() > 20 {
                return false;
            }
            let particle = matches!(
                word,
                "and"
                    | "et"
                    | "al"
                    | "de"
                    | "da"
                    | "van"
                    | "von"
                    | "der"
                    | "den"
                    | "la"
                    | "le"
                    | "di"
                    | "del"
            );
            if !particle && first.is_lowercase() {
                return false;
            }
            words += 1;
        }
        if words > 5 {
            return false;
        }
        people += usize::from(words > 0);
    }
    people > 0
}

fn plausible_year(n: u32) -> bool {
    (1000..2100).contains(&n)
}

fn month_of(word: &str) -> Option<u8> {
    let head = word.get(..3)?;
    let month = MONTHS.iter().position(|m| *m == head)? as u8 + 1;
    const LONG: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    LONG[month as usize - 1].starts_with(word).then_some(month)
}

/// `1.234,50` and `1,234.50` to `1234.50`: the last separator is the decimal one unless it groups three digits
/// and is the only kind.
fn decimal_form(text: &str) -> String {
    let last = text.rfind(['.', ',']);
    let decimal = last.filter(|&at| {
        let mark = text.as_bytes()[at];
        let other = if mark == b'.' { ',' } else { '.' };
        let once = text.bytes().filter(|&b| b == mark).count() == 1;
        once && (text.contains(other) || text.len() - at - 1 != 3 || mark == b'.')
    });
    text.char_indices()
        .filter_map(|(i, c)| if Some(i) == decimal { Some('.') } else { c.is_ascii_digit().then_some(c) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    fn date(text: &str) -> Option<(Option<u16>, Option<u8>, Option<u8>)> {
        parse_date(&fold(text)).map(|d| (d.year, d.month, d.day))
    }

    #[test]
    fn dates_in_many_dresses() {
        let christmas = Some((Some(1999), Some(12), Some(25)));
        for text in
            ["1999-12-25", "25.12.1999", "12/25/1999", "25 December 1999", "Dec. 25th, 1999", "19991225"]
        {
            assert_eq!(date(text), christmas, "{text}");
        }
        assert_eq!(date("(1990)."), Some((Some(1990), None, None)));
        assert_eq!(date("Oct.; 1992."), Some((Some(1992), Some(10), None)));
        assert_eq!(date("in press"), None);
        assert_eq!(date("the marching of 12 drums"), None);
    }

    #[test]
    fn numbers_in_many_dresses() {
        assert_eq!(parse_number("$1,299.00"), Some(1299.0));
        assert_eq!(parse_number("1.299,50 €"), Some(1299.5));
        assert_eq!(parse_number("1,299"), Some(1299.0));
        assert_eq!(parse_number("-3.5"), Some(-3.5));
        assert_eq!(parse_number("12.5 kg"), Some(12.5));
        assert_eq!(parse_number("chapter 12 of the book"), None);
        assert_eq!(parse_number("10-12"), None);
        assert_eq!(parse_number("none"), None);
    }

    #[test]
    fn names_are_recognised() {
        assert!(looks_like_names("Utgoff; P. E.; and Brodley"));
        assert!(looks_like_names("Ludwig van Beethoven"));
        assert!(!looks_like_names("The utility of knowledge in inductive learning"));
        assert!(!looks_like_names("Room 12"));
    }
}
