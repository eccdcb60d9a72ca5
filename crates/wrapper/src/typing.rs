//! The typed value of a text, where it has one.

use crate::output::ValueType;

/// The value in the form that stores and programs want: `1299.00` for `$1,299.00`, `2026-11-15` for a date.
/// `None` when the text is not of that type.
pub fn typed(value_type: ValueType, text: &str) -> Option<String> {
    match value_type {
        ValueType::Text | ValueType::Url | ValueType::Image => Some(text.to_owned()),
        ValueType::Integer => number(text, false),
        ValueType::Decimal => number(text, true),
        ValueType::Date => date(text),
    }
}

/// A number, possibly grouped by thousands; amounts may carry a currency or percent sign at either end.
fn number(text: &str, decimal: bool) -> Option<String> {
    let trimmed = text.trim();
    let bare = if decimal {
        trimmed.trim_matches(|c: char| "$€£¥₹%".contains(c) || c.is_whitespace())
    } else {
        trimmed
    };
    let (sign, digits) = match bare.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", bare),
    };
    if digits.is_empty() || digits.len() > 15 || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return None;
    }
    if !digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let (whole, fraction) = split_fraction(digits)?;
    if !decimal && !fraction.is_empty() {
        return None;
    }
    // 007 and 02134 are codes, not numbers.
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { &whole };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

/// The last separator is the decimal one unless exactly three digits follow it and it could group thousands.
fn split_fraction(digits: &str) -> Option<(String, String)> {
    let separators: Vec<(usize, char)> = digits.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
    let Some(&(last, mark)) = separators.last() else { return Some((digits.to_owned(), String::new())) };
    let tail = &digits[last + 1..];
    let same = separators.iter().all(|(_, c)| *c == mark);
    let groups = same && tail.len() == 3 && (mark == ',' || separators.len() > 1) && last <= 3;
    let whole_marked = if groups { digits } else { &digits[..last] };
    let whole: String = whole_marked.chars().filter(char::is_ascii_digit).collect();
    let well_grouped =
        whole_marked.split(|c: char| !c.is_ascii_digit()).skip(1).all(|group| group.len() == 3);
    if !well_grouped {
        return None;
    }
    Some((whole, if groups { String::new() } else { tail.to_owned() }))
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Dates that can be read only one way: ISO, or with the month in words.
fn date(text: &str) -> Option<String> {
    let text = text.trim();
    let head = text.get(..10).unwrap_or(text);
    let rest = text.get(10..).unwrap_or_default();
    let parts: Vec<&str> = head.split(['-', '/', '.']).collect();
    if let [year, month, day] = parts[..]
        && year.len() == 4
        && (rest.is_empty() || rest.starts_with(['T', ' ']))
    {
        return checked(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    }
    if text.len() > 40 {
        return None;
    }
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let month_at = words.iter().position(|word| month(word).is_some())?;
    let month = month(words[month_at])?;
    let number = |word: &&str| word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<i32>().ok();
    let year = words.iter().filter(|word| word.len() == 4).find_map(number).filter(|year| *year >= 1000)?;
    let near = [month_at.checked_sub(1), Some(month_at + 1)];
    let day = near
        .into_iter()
        .flatten()
        .filter_map(|at| words.get(at))
        .filter(|word| word.len() <= 4)
        .filter_map(number)
        .find(|day| (1..=31).contains(day))?;
    checked(year, month, day)
}

fn month(word: &str) -> Option<i32> {
    let lower = word.to_lowercase();
    let at = MONTHS.iter().position(|month| lower.starts_with(month))?;
    let full = [
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
    ][at];
    (lower.len() == 3 || lower == "sept" || full == lower).then_some(at as i32 + 1)
}

fn checked(year: i32, month: i32, day: i32) -> Option<String> {
    let longest = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    ((1..=12).contains(&month) && (1..=longest).contains(&day))
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let decimal = |text| typed(ValueType::Decimal, text);
        assert_eq!(decimal("$1,299.00").as_deref(), Some("1299.00"));
        assert_eq!(decimal("1.299,50 €").as_deref(), Some("1299.50"));
        assert_eq!(decimal(".417").as_deref(), Some("0.417"));
        assert_eq!(decimal("12,34,5"), None);
        assert_eq!(typed(ValueType::Integer, "1,299").as_deref(), Some("1299"));
        assert_eq!(typed(ValueType::Integer, "02134"), None);
        assert_eq!(typed(ValueType::Integer, "6-5"), None);
    }

    #[test]
    fn dates_with_one_reading_only() {
        let date = |text| typed(ValueType::Date, text);
        assert_eq!(date("2026-11-15T10:00:00Z").as_deref(), Some("2026-11-15"));
        assert_eq!(date("November 15, 2026").as_deref(), Some("2026-11-15"));
        assert_eq!(date("15 Sept. 2026, 4:11 p.m.").as_deref(), Some("2026-09-15"));
        assert_eq!(date("02/03/2026"), None);
        assert_eq!(date("May I help you?"), None);
        assert_eq!(date("2026-13-01"), None);
        assert_eq!(date("“B.E.D”"), None);
        assert_eq!(date("Yi J.L."), None);
    }
}
