//! How long something takes.

use super::numbers;

/// The words for units of time, by their seconds. A word counts when it is one of these or their plural.
const UNITS: [(f64, &[&str]); 5] = [
    (
        1.0,
        &[
            "s", "sec", "second", "sek", "sekunde", "sekunden", "seconde", "segundo", "secondo", "秒", "сек",
            "с",
        ],
    ),
    (
        60.0,
        &["m", "min", "minute", "minuten", "minuto", "minuut", "minuta", "分", "分钟", "分鐘", "분", "мин"],
    ),
    (
        3600.0,
        &[
            "h", "hr", "hour", "std", "stunde", "stunden", "heure", "hora", "ora", "uur", "时", "小时",
            "時間", "시간", "ч",
        ],
    ),
    (
        86400.0,
        &["d", "day", "tag", "tage", "tagen", "jour", "día", "dia", "giorno", "dag", "天", "日", "일", "д"],
    ),
    (604_800.0, &["wk", "week", "woche", "wochen", "semaine", "semana", "settimana", "周", "주"]),
];

/// The seconds of `1h 30min`, `3:45`, `1:02:03` or `PT1H2M3S`.
pub(super) fn seconds(text: &str) -> Option<f64> {
    clock(text).or_else(|| iso(text)).or_else(|| words(text))
}

/// Minutes and seconds, or hours, minutes and seconds.
fn clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let whole = |part: &&str| part.bytes().all(|b| b.is_ascii_digit()) && (1..=3).contains(&part.len());
    if !(2..=3).contains(&parts.len())
        || !parts.iter().all(whole)
        || parts[1..].iter().any(|part| part.len() != 2)
    {
        return None;
    }
    let numbers: Vec<f64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let in_range = numbers[1..].iter().all(|number| *number < 60.0);
    in_range.then(|| numbers.iter().fold(0.0, |sum, number| sum * 60.0 + number))
}

/// ISO 8601, as in `PT1H30M`.
fn iso(text: &str) -> Option<f64> {
    let rest = text.strip_prefix('P')?;
    let (days, time) = rest.split_once('T').unwrap_or((rest, ""));
    let mut sum = 0.0;
    let mut any = false;
    for (part, units) in [(days, "DW"), (time, "HMS")] {
        let mut number = String::new();
        for c in part.chars() {
            if c.is_ascii_digit() || c == '.' {
                number.push(c);
                continue;
            }
            let of = match c {
                'W' => 604_800.0,
                'D' => 86400.0,
                'H' => 3600.0,
                'M' => 60.0,
                'S' => 1.0,
                _ => return None,
            };
            sum += units.contains(c).then(|| number.parse::<f64>().ok())?? * of;
            number.clear();
            any = true;
        }
        if !number.is_empty() {
            return None;
        }
    }
    any.then_some(sum)
}

/// Numbers with words for units of time, the larger units first.
fn words(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut sum = 0.0;
    let mut last = f64::INFINITY;
    let mut any = false;
    while !rest.is_empty() {
        let (number, behind) = numbers::leading(rest)?;
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        let unit = unit(&behind[..end])?;
        if unit >= last {
            return None;
        }
        last = unit;
        sum += number.parse::<f64>().ok()? * unit;
        any = true;
        rest = behind[end..].trim_start_matches(['.', ',', ' ']);
    }
    any.then_some(sum)
}

fn unit(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    let single = word.strip_suffix('s').filter(|stem| stem.chars().count() > 1).unwrap_or(&word);
    UNITS
        .iter()
        .find(|(_, words)| words.contains(&word.as_str()) || words.contains(&single))
        .map(|(of, _)| *of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_in_seconds() {
        for (text, want) in [
            ("90 min", 5400.0),
            ("1 hour, 5 minutes", 3900.0),
            ("2 Stunden", 7200.0),
            ("120分钟", 7200.0),
            ("1:02:03", 3723.0),
            ("P1DT2H", 93600.0),
            ("2.5 h", 9000.0),
        ] {
            assert_eq!(seconds(text), Some(want), "{text}");
        }
        for text in ["", "P", "PT", "5 apples", "1:75", "min", "5 min 2 h", "12:5", "PTX"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
