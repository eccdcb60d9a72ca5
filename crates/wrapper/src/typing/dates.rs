//! Dates and times of day, where there is only one way to read them.

use super::months::month;

/// A date written in words is not longer.
const LONGEST_DATE: usize = 60;

/// Words of a date written in words: weekday, day, month, year, time, half of the day, zone. More is a sentence.
const MOST_WORDS: usize = 9;

/// Which number comes first where a date says only numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateOrder {
    /// Nothing is known: `02/03/2026` is read in no way, `25/12/2026` in the only possible one.
    Plain,
    /// The day, as in most of the world.
    DayFirst,
    /// The month, as in the United States.
    MonthFirst,
}

/// The calendar date, as `2026-11-15`; a time behind it is left away.
pub(super) fn date(text: &str, order: DateOrder) -> Option<String> {
    let (year, month, day) = numeric(text, order).or_else(|| east_asian(text)).or_else(|| worded(text))?;
    checked(year, month, day)
}

/// Date and time of day, as `2026-11-15T16:11:00`, with the zone behind it where an ISO date says one.
pub(super) fn date_time(text: &str, order: DateOrder) -> Option<String> {
    let day = date(text, order)?;
    let colon = text.find(':')?;
    let start = text[..colon]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let clock = &text[start..];
    let end = clock.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(clock.len());
    let rest = clock[end..].trim_start();
    let (hour, minute, second) = clock_of(&clock[..end])?;
    let hour = half_of_day(hour, rest)?;
    Some(format!("{day}T{hour:02}:{minute:02}:{second:02}{}", zone(&clock[end..])))
}

/// A time of day alone: with two digits for the hour, or with the half of the day.
pub(super) fn time(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let rest = text[end..].trim();
    let (hour, minute, second) = clock_of(&text[..end])?;
    let said = said_half(rest).is_some();
    let complete = text.find(':') == Some(2) && rest.is_empty();
    let hour = half_of_day(hour, rest)?;
    (said || complete).then(|| format!("{hour:02}:{minute:02}:{second:02}"))
}

fn clock_of(text: &str) -> Option<(i32, i32, i32)> {
    let parts: Vec<&str> = text.split(':').collect();
    let mut numbers = parts.iter().map(|part| part.parse::<i32>().ok().filter(|_| part.len() <= 2));
    let (hour, minute) = (numbers.next()??, numbers.next()??);
    let second = match numbers.next() {
        Some(second) => second?,
        None => 0,
    };
    let fits = parts.len() <= 3 && hour < 24 && minute < 60 && second < 61 && parts[1].len() == 2;
    fits.then_some((hour, minute, second))
}

/// `Some(true)` after noon.
fn said_half(rest: &str) -> Option<bool> {
    let letters: String = rest
        .chars()
        .filter(|c| *c != '.')
        .take_while(|c| c.is_ascii_alphabetic())
        .collect::<String>()
        .to_lowercase();
    match letters.as_str() {
        "am" => Some(false),
        "pm" => Some(true),
        _ => None,
    }
}

fn half_of_day(hour: i32, rest: &str) -> Option<i32> {
    match said_half(rest) {
        None => Some(hour),
        Some(_) if !(1..=12).contains(&hour) => None,
        Some(after_noon) => Some(hour % 12 + if after_noon { 12 } else { 0 }),
    }
}

/// `Z` or `+02:00` right behind the seconds or their fraction.
fn zone(rest: &str) -> String {
    let rest = rest
        .strip_prefix('.')
        .map_or(rest, |fraction| fraction.trim_start_matches(|c: char| c.is_ascii_digit()));
    if rest == "Z" {
        return rest.to_owned();
    }
    let is_offset = rest.len() >= 5
        && rest.starts_with(['+', '-'])
        && rest[1..].bytes().all(|b| b.is_ascii_digit() || b == b':');
    if is_offset { rest.to_owned() } else { String::new() }
}

/// Three numbers with one mark between: the year first, or last and the order known. A point means day first.
fn numeric(text: &str, order: DateOrder) -> Option<(i32, i32, i32)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '/' | '.')).unwrap_or(text.len());
    let rest = &text[end..];
    if !(rest.is_empty() || rest.starts_with(['T', ' ', ',']) && rest.len() <= 24) {
        return None;
    }
    let head = text[..end].trim_end_matches('.');
    let mark = head.find(|c: char| !c.is_ascii_digit()).and_then(|at| head[at..].chars().next())?;
    let parts: Vec<&str> = head.split(mark).collect();
    let [first, second, third] = parts[..] else { return None };
    let number = |part: &str| part.parse::<i32>().ok();
    let (a, b, c) = (number(first)?, number(second)?, number(third)?);
    if first.len() == 4 && second.len() <= 2 && third.len() <= 2 {
        return Some((a, b, c));
    }
    if third.len() != 4 || first.len() > 2 || second.len() > 2 {
        return None;
    }
    let day_first = match order {
        _ if mark == '.' || a > 12 => true,
        _ if b > 12 => false,
        DateOrder::DayFirst => true,
        DateOrder::MonthFirst => false,
        DateOrder::Plain => return None,
    };
    Some(if day_first { (c, b, a) } else { (c, a, b) })
}

/// `2026年11月15日` and `2026년 11월 15일`.
fn east_asian(text: &str) -> Option<(i32, i32, i32)> {
    let (year, rest) = text.split_once(['年', '년'])?;
    let (month, rest) = rest.split_once(['月', '월'])?;
    let (day, _) = rest.split_once(['日', '일'])?;
    let number = |part: &str| part.trim().parse::<i32>().ok();
    Some((number(year)?, number(month)?, number(day)?))
}

/// The month in words, with the day beside it and a year of four digits.
fn worded(text: &str) -> Option<(i32, i32, i32)> {
    if text.len() > LONGEST_DATE {
        return None;
    }
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.len() > MOST_WORDS {
        return None;
    }
    let month_at = words.iter().position(|word| month(word).is_some())?;
    let month = month(words[month_at])?;
    let number = |word: &&str| word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<i32>().ok();
    let year = words.iter().filter(|word| word.len() == 4).filter_map(number).find(|year| *year >= 1000)?;
    // "15 de noviembre de 2026": a short word may stand between.
    let near = [month_at.checked_sub(1), Some(month_at + 1), month_at.checked_sub(2)];
    let day = near
        .into_iter()
        .flatten()
        .filter_map(|at| words.get(at))
        .filter(|word| word.len() <= 4)
        .filter_map(number)
        .find(|day| (1..=31).contains(day))?;
    Some((year, month, day))
}

fn checked(year: i32, month: i32, day: i32) -> Option<String> {
    let longest = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    ((1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=longest).contains(&day))
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_one_reading_only() {
        let read = |text| date(text, DateOrder::Plain);
        for text in [
            "2026-11-15T10:00:00Z",
            "2026/11/15",
            "November 15, 2026",
            "Sunday, 15th Nov 2026",
            "15. November 2026",
            "15 de noviembre de 2026",
            "15 novembre 2026",
            "15.11.2026",
            "11/15/2026",
            "2026年11月15日",
        ] {
            assert_eq!(read(text).as_deref(), Some("2026-11-15"), "{text}");
        }
        for text in [
            "02/03/2026",
            "May I help you?",
            "2026-13-01",
            "2026-02-29",
            "“B.E.D”",
            "Yi J.L.",
            "1.2",
            "15",
            "2026年",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_order_decides_where_it_is_known() {
        assert_eq!(date("02/03/2026", DateOrder::DayFirst).as_deref(), Some("2026-03-02"));
        assert_eq!(date("02/03/2026", DateOrder::MonthFirst).as_deref(), Some("2026-02-03"));
    }

    #[test]
    fn times_of_day() {
        let read = |text| date_time(text, DateOrder::Plain);
        assert_eq!(read("2026-11-15T10:00:05.123Z").as_deref(), Some("2026-11-15T10:00:05Z"));
        assert_eq!(read("2026-11-15 10:00:05+02:00").as_deref(), Some("2026-11-15T10:00:05+02:00"));
        assert_eq!(read("15 Sept. 2026, 4:11 p.m.").as_deref(), Some("2026-09-15T16:11:00"));
        assert_eq!(read("15.11.2026 um 08:30 Uhr").as_deref(), Some("2026-11-15T08:30:00"));
        assert_eq!(read("15.11.2026"), None);
        assert_eq!(
            (time("16:11"), time("4:11 pm"), time("4:11")),
            (Some("16:11:00".into()), Some("16:11:00".into()), None)
        );
        assert_eq!((time("25:00"), time("13:00 pm"), time("noon:00")), (None, None, None));
    }
}
