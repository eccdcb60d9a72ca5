//! The typed value of a text, where it has one, and what is kept beside it.
//!
//! Nothing here knows the language of a site: numbers are read in the digits and separators of most scripts, dates by
//! their shape or by the month names of many languages, amounts by currency signs and codes. What can be read in two
//! ways is read in none.

mod contact;
mod dates;
mod flags;
mod measures;
mod months;
mod numbers;
mod spans;

use std::borrow::Cow;

use crate::output::ValueType;

pub use contact::is_picture;
use dates::DateOrder;
pub use measures::unit_of;
pub use numbers::currency_of;

/// The value in the form that stores and programs want: `1299.00` for `$1,299.00`, `2026-11-15` for a date, `1` for
/// yes. Measures and durations stay as they stand. `None` when the text is not of that type.
pub fn typed(value_type: ValueType, text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    match value_type {
        ValueType::Text => Some(text.into()),
        ValueType::Url | ValueType::Image => contact::url(text),
        ValueType::Integer => numbers::integer(text),
        ValueType::Decimal => numbers::decimal(text),
        ValueType::Money => numbers::money(text).map(|(number, _)| number),
        ValueType::Measure => measures::measure(text).map(|_| text.into()),
        ValueType::Duration => spans::seconds(text).map(|_| text.into()),
        ValueType::Date => dates::date(text, DateOrder::Plain).map(Cow::Owned),
        ValueType::DateDayFirst => dates::date(text, DateOrder::DayFirst).map(Cow::Owned),
        ValueType::DateMonthFirst => dates::date(text, DateOrder::MonthFirst).map(Cow::Owned),
        ValueType::DateTime => dates::date_time(text, DateOrder::Plain).map(Cow::Owned),
        ValueType::Time => dates::time(text).map(Cow::Owned),
        ValueType::Boolean => flags::flag(text).map(|yes| if yes { "1".into() } else { "0".into() }),
        ValueType::Email => contact::email(text).map(Cow::Owned),
        ValueType::Phone => contact::phone(text).map(Cow::Owned),
    }
}

/// [`typed`] and [`beside`] in one.
pub(crate) fn typed_and_beside(value_type: ValueType, text: &str) -> (Option<Cow<'_, str>>, Option<String>) {
    match value_type {
        ValueType::Money => match numbers::money(text.trim()) {
            Some((number, currency)) => (Some(number), currency),
            None => (None, None),
        },
        ValueType::Measure | ValueType::Duration => (typed(value_type, text), beside(value_type, text)),
        // Nothing is kept beside any other.
        _ => (typed(value_type, text), None),
    }
}

/// What is kept beside the typed value: the currency of an amount (`EUR`), the number of a measure (`210` for `210 g`),
/// the seconds of a duration. [`ValueType::beside`] names it.
pub fn beside(value_type: ValueType, text: &str) -> Option<String> {
    let text = text.trim();
    match value_type {
        ValueType::Money => numbers::money(text).and_then(|(_, currency)| currency),
        ValueType::Measure => measures::measure(text).map(|(number, _)| number),
        ValueType::Duration => spans::seconds(text).map(numbers::plain),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_keep_their_currency_beside_the_number() {
        let both = |text| (typed(ValueType::Money, text), beside(ValueType::Money, text));
        let want = |number: &'static str, currency: &str| (Some(number.into()), Some(currency.to_owned()));
        assert_eq!(both("$1,299.00"), want("1299.00", "$"));
        assert_eq!(both("1.299,50 €"), want("1299.50", "EUR"));
        assert_eq!(both("EUR 1 299,50"), want("1299.50", "EUR"));
        assert_eq!(both("US$12"), want("12", "USD"));
        assert_eq!(both("¥ 1,200"), want("1200", "¥"));
        assert_eq!(both("129,- zł"), want("129", "PLN"));
        assert_eq!(both("-£3.50"), want("-3.50", "GBP"));
        assert_eq!(both("58.00元"), want("58.00", "CNY"));
        assert_eq!(both("1.299 €"), want("1299", "EUR"));
        assert_eq!(both("￥32,000～"), want("32000", "¥"));
        assert_eq!(both("３，２００円"), want("3200", "JPY"));
        assert_eq!(both("３２００円"), want("3200", "JPY"));
        assert_eq!(both("$20+"), want("20", "$"));
        assert_eq!(both("12.50"), (Some("12.50".into()), None));
        assert_eq!(both("12 monkeys"), (None, None));
        assert_eq!(both("$"), (None, None));
    }

    #[test]
    fn measures_and_durations_keep_text_and_number() {
        let both = |value_type, text| (typed(value_type, text), beside(value_type, text));
        let want = |text: &'static str, number: &str| (Some(text.into()), Some(number.to_owned()));
        assert_eq!(both(ValueType::Measure, "210 g"), want("210 g", "210"));
        assert_eq!(both(ValueType::Measure, "1,5 kg"), want("1,5 kg", "1.5"));
        assert_eq!(both(ValueType::Measure, "68°F"), want("68°F", "68"));
        assert_eq!(both(ValueType::Measure, "12 x 20 cm"), (None, None));
        assert_eq!(both(ValueType::Duration, "1h 30min"), want("1h 30min", "5400"));
        assert_eq!(both(ValueType::Duration, "3:45"), want("3:45", "225"));
        assert_eq!(both(ValueType::Duration, "PT1H2M3S"), want("PT1H2M3S", "3723"));
    }

    #[test]
    fn every_type_refuses_what_is_not_of_it() {
        for value_type in ValueType::ALL.into_iter().filter(|value_type| *value_type != ValueType::Text) {
            for text in [
                "",
                "The quiet harbour",
                "—",
                "a b c",
                "\u{0}",
                "９９９９９９９９９９９９９９９９９９９９９ x",
            ] {
                assert_eq!(typed(value_type, text), None, "{value_type:?} {text:?}");
                assert_eq!(beside(value_type, text), None, "{value_type:?} {text:?}");
            }
        }
    }
}
