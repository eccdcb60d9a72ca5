//! What the values of a column are: numbers, amounts, dates, addresses.

use std::collections::BTreeSet;

use unsite_wrapper::{ValueType, What, currency_of, is_picture, typed, unit_of};

/// A column has a type when this share of its values has it: the rest stays readable as text.
const AGREEMENT: f64 = 0.9;

/// A column of measures has at most this many units: every title that begins with a number has a word behind it.
const MOST_UNITS: usize = 4;

/// Types that are tried in this order; the first that fits most values is taken, the narrower ones first.
const ORDER: [ValueType; 15] = [
    ValueType::Integer,
    ValueType::Decimal,
    ValueType::Money,
    ValueType::DateTime,
    ValueType::Date,
    ValueType::DateDayFirst,
    ValueType::DateMonthFirst,
    ValueType::Time,
    ValueType::Duration,
    ValueType::Boolean,
    ValueType::Email,
    ValueType::Phone,
    ValueType::Image,
    ValueType::Url,
    ValueType::Measure,
];

/// A type, and the share of the values that have it.
#[derive(Debug, PartialEq)]
pub struct Typed {
    /// The type.
    pub value_type: ValueType,
    /// The share, 0 to 1.
    pub share: f64,
}

/// The type of a column from example values.
pub fn infer(what: &What, examples: &[String]) -> Typed {
    // Most types fit no value of a column: those that cannot reach the agreement any more are not tried on.
    let others = (1.0 - AGREEMENT) * examples.len() as f64;
    let share = |value_type: ValueType| -> Option<f64> {
        let mut apart = 0;
        for value in examples {
            apart += usize::from(!is_of(value_type, value.trim()));
            if apart as f64 > others + 1.0 {
                return None;
            }
        }
        let share = (examples.len() - apart) as f64 / examples.len().max(1) as f64;
        (share >= AGREEMENT).then_some(share)
    };
    if let What::Attribute(name) = what {
        let fallback = match name.as_str() {
            "href" => Some(ValueType::Url),
            "src" => Some(ValueType::Image),
            _ => None,
        };
        if let Some(value_type) = fallback {
            // Links to people rather than to pages.
            let special =
                [ValueType::Email, ValueType::Phone].into_iter().find(|other| share(*other).is_some());
            return Typed { value_type: special.unwrap_or(value_type), share: 1.0 };
        }
    }
    ORDER
        .into_iter()
        .filter_map(|value_type| Some(Typed { value_type, share: share(value_type)? }))
        .find(|found| fits_column(found.value_type, examples))
        .unwrap_or(Typed { value_type: ValueType::Text, share: 1.0 })
}

/// Whether one text is of a type, seen alone. Addresses of pages must say so themselves here.
fn is_of(value_type: ValueType, text: &str) -> bool {
    let is_address =
        || text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.");
    match value_type {
        ValueType::Url => is_address() && typed(value_type, text).is_some(),
        ValueType::Image => is_address() && is_picture(text) && typed(value_type, text).is_some(),
        _ => typed(value_type, text).is_some(),
    }
}

/// What only all values together can tell.
fn fits_column(value_type: ValueType, examples: &[String]) -> bool {
    let all = || examples.iter().map(|value| value.trim());
    match value_type {
        ValueType::Money => all().any(has_currency),
        ValueType::Decimal => !are_versions(&all().collect::<Vec<_>>()),
        // Both orders read the others; one value that only one of them can read decides.
        ValueType::DateDayFirst => all()
            .any(|text| typed(ValueType::DateMonthFirst, text) == typed(value_type, text) && day_first(text)),
        ValueType::DateMonthFirst => all()
            .any(|text| typed(ValueType::DateDayFirst, text) == typed(value_type, text) && !day_first(text)),
        ValueType::Boolean => all().collect::<BTreeSet<_>>().len() > 1,
        ValueType::Measure => {
            let units: BTreeSet<&str> = all().filter_map(unit_of).collect();
            units.len() <= MOST_UNITS && units.len() * 2 <= examples.len()
        }
        _ => true,
    }
}

/// `3.10` and `3.2`: numbers are written with as many decimals everywhere, or without zeros at their end; what is written
/// in neither way counts its second part on.
fn are_versions(values: &[&str]) -> bool {
    let decimals: Vec<&str> = values.iter().filter_map(|value| Some(value.split_once('.')?.1)).collect();
    let lengths: BTreeSet<usize> = decimals.iter().map(|decimals| decimals.len()).collect();
    let counts_on = decimals.iter().any(|decimals| decimals.len() > 1 && decimals.ends_with('0'));
    lengths.len() > 1
        && counts_on
        && decimals.iter().all(|decimals| decimals.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a date of numbers that can be read in one way begins with its day.
fn day_first(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    first.len() <= 2 && first.parse::<u32>().is_ok_and(|number| number > 12)
}

fn has_currency(text: &str) -> bool {
    let around = text.trim_matches(|c: char| c == '-' || c == '−' || c.is_whitespace());
    let is_number =
        |c: char| c.is_numeric() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '-');
    let sign = around.trim_matches(is_number);
    !sign.is_empty() && currency_of(sign).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> &'static str {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        infer(&What::Text, &values).value_type.name()
    }

    #[test]
    fn columns_get_the_narrowest_type_that_fits() {
        assert_eq!(of(&["1", "2,000", "3"]), "integer");
        assert_eq!(of(&["1.5", "2", "3 %"]), "decimal");
        assert_eq!(of(&["$1.50", "$2", "$3,000.00"]), "money");
        assert_eq!(of(&["12,50 €", "8 €"]), "money");
        assert_eq!(of(&["210 g", "1,2 kg", "90 g", "12 g"]), "measure");
        assert_eq!(of(&["12 Monkeys", "7 Samurai", "10 Things", "8 Mile"]), "text");
        assert_eq!(of(&["3:45", "12:01", "4:20"]), "duration");
        assert_eq!(of(&["90 min", "1 h 5 min"]), "duration");
        assert_eq!(of(&["08:30", "16:11"]), "time");
        assert_eq!(of(&["2026-11-15", "15 May 2020"]), "date");
        assert_eq!(of(&["2026-11-15T10:00:00Z", "2026-11-16T11:30:00Z"]), "datetime");
        assert_eq!(of(&["yes", "no", "yes"]), "boolean");
        assert_eq!(of(&["yes", "yes"]), "text");
        assert_eq!(of(&["a@b.test", "c.d@e.test"]), "email");
        assert_eq!(of(&["+1 555 123 4567", "(555) 123-4567"]), "phone");
        assert_eq!(of(&["https://a.test/x.png", "https://a.test/y.jpg"]), "image");
        assert_eq!(of(&["https://a.test/x", "www.b.test"]), "url");
        assert_eq!(of(&["The quiet harbour", "7"]), "text");
        assert_eq!(of(&[]), "text");
    }

    #[test]
    fn one_date_that_can_be_read_in_one_way_decides_for_all() {
        let infer = |values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            infer(&What::Text, &values).value_type
        };
        assert_eq!(infer(&["02/03/2026", "25/12/2026"]), ValueType::DateDayFirst);
        assert_eq!(infer(&["02/03/2026", "12/25/2026"]), ValueType::DateMonthFirst);
        assert_eq!(infer(&["02/03/2026", "04/05/2026"]), ValueType::Text);
    }

    #[test]
    fn versions_are_no_numbers() {
        assert_eq!(of(&["3.9", "3.10", "3.11"]), "text");
        assert_eq!(of(&["3.90", "3.10", "3.11"]), "decimal");
        assert_eq!(of(&["3.9", "3.25", "12"]), "decimal");
    }

    #[test]
    fn links_to_people_are_not_links_to_pages() {
        let href = What::Attribute("href".into());
        assert_eq!(infer(&href, &["mailto:a@b.test".into()]).value_type, ValueType::Email);
        assert_eq!(infer(&href, &["tel:+15551234567".into()]).value_type, ValueType::Phone);
        assert_eq!(infer(&href, &["https://a.test/".into()]).value_type, ValueType::Url);
    }
}
