//! What the values of a field are, told from the values.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::record::{RecordIndex, RecordSet};
use crate::text;
use crate::values::{looks_like_names, parse_date, parse_number};

/// What the values of a field are; decides which experts look at them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Words: titles, addresses, descriptions.
    Text,
    /// People.
    Names,
    /// Codes: article numbers, telephone numbers, addresses of mail and web.
    Identifier,
    /// Quantities.
    Number,
    /// Calendar dates or years.
    Date,
    /// One of a few words: a country, a colour.
    Category,
    /// Says nothing about identity: empty or the same everywhere.
    Ignored,
}

impl FieldKind {
    /// The word for it in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Text => "text",
            FieldKind::Names => "names",
            FieldKind::Identifier => "identifier",
            FieldKind::Number => "number",
            FieldKind::Date => "date",
            FieldKind::Category => "category",
            FieldKind::Ignored => "ignored",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<FieldKind> {
        use FieldKind::{Category, Date, Identifier, Ignored, Names, Number, Text};
        [Text, Names, Identifier, Number, Date, Category, Ignored].into_iter().find(|k| k.name() == name)
    }
}

/// Kinds that the user gives for some fields; the others are inferred.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Field name and kind.
    pub kinds: Vec<(String, FieldKind)>,
}

/// Values looked at for each field, spread evenly over the records. A share is then known within two points.
const SAMPLE: usize = 2_000;
/// Share of the values that must parse before a field is called a date or a number. One in five may be noise.
const PARSED_SHARE: f64 = 0.8;
/// Share of the values that must look like names; citations are cut in odd places, so lower.
const NAMES_SHARE: f64 = 0.7;
/// Share of single words with a digit or an `@` that makes a field a code.
const CODE_SHARE: f64 = 0.7;
/// A category repeats its values at least this often on average...
const CATEGORY_REPEATS: f64 = 20.0;
/// ...and has at most this many of them.
const CATEGORY_VALUES: usize = 64;

/// The kind of every field, in order.
///
/// # What it does
/// Looks at up to two thousand values of each field and asks in this order: empty or constant, date, number, code,
/// category, names, else text.
/// # Assumes
/// That most values of a field are of one kind.
/// # When it fails
/// Small integers that are codes (a house number) are called numbers; the number expert's exact bin still works.
pub fn infer(records: &RecordSet, schema: Option<&Schema>) -> Vec<FieldKind> {
    let given = |name: &str| {
        schema.and_then(|s| s.kinds.iter().find(|(field, _)| field == name)).map(|(_, kind)| *kind)
    };
    (0..records.fields().len())
        .map(|field| given(&records.fields()[field]).unwrap_or_else(|| infer_one(records, field)))
        .collect()
}

fn infer_one(records: &RecordSet, field: usize) -> FieldKind {
    let values = sample(records, field);
    if values.is_empty() {
        return FieldKind::Ignored;
    }
    let folded: Vec<String> = values.iter().map(|v| text::fold(v)).collect();
    let distinct: FxHashSet<&str> = folded.iter().map(String::as_str).collect();
    let total = values.len() as f64;
    if distinct.len() == 1 && values.len() > 1 && values.len() == records.len().min(SAMPLE) {
        return FieldKind::Ignored;
    }
    let share = |test: &dyn Fn(usize) -> bool| (0..values.len()).filter(|&i| test(i)).count() as f64 / total;
    let is_date = |i: usize| {
        parse_date(&folded[i]).is_some_and(|d| d.year.is_some())
            && !is_plain_code(&folded[i])
            && !is_amount(values[i])
    };
    if share(&is_date) >= PARSED_SHARE {
        return FieldKind::Date;
    }
    if share(&|i| is_code(values[i], &folded[i])) >= CODE_SHARE {
        return FieldKind::Identifier;
    }
    if share(&|i| parse_number(values[i]).is_some()) >= PARSED_SHARE {
        return FieldKind::Number;
    }
    let short = share(&|i| text::words(&folded[i]).count() <= 3) >= PARSED_SHARE;
    if short && distinct.len() <= CATEGORY_VALUES && total / distinct.len() as f64 >= CATEGORY_REPEATS {
        return FieldKind::Category;
    }
    if share(&|i| looks_like_names(values[i])) >= NAMES_SHARE {
        return FieldKind::Names;
    }
    FieldKind::Text
}

fn sample(records: &RecordSet, field: usize) -> Vec<&str> {
    let step = records.len().div_ceil(SAMPLE).max(1);
    (0..records.len()).step_by(step).filter_map(|r| records.value(r as RecordIndex, field)).collect()
}

/// Digits only and too long for a year: 19991225 could be a date, 199912253 cannot.
fn is_plain_code(folded: &str) -> bool {
    folded.len() > 8 && folded.bytes().all(|b| b.is_ascii_digit())
}

/// `13.49`, `£8.20`, `1,299.00`: a number with a fraction, whose two parts are no day and no year.
fn is_amount(raw: &str) -> bool {
    let Some(start) = raw.find(|c: char| c.is_ascii_digit()) else { return false };
    let number: &str = raw[start..].trim_end_matches(|c: char| !c.is_ascii_digit());
    let marks: Vec<char> = number.chars().filter(|c| !c.is_ascii_digit()).collect();
    let fraction = number.rsplit(['.', ',']).next().map_or(0, str::len);
    // Days and months have two marks of one kind around them; a year has four digits.
    let has_fraction = match marks[..] {
        ['.' | ','] => fraction != 4,
        [first, last] => first != last && matches!((first, last), ('.' | ',' | ' ' | '\'', '.' | ',')),
        _ => false,
    };
    let has_currency = raw.chars().any(|c| "$€£¥₹₽₩".contains(c));
    has_currency || has_fraction
}

/// A code is one piece with digits and letters, many digits (also in groups), or an address of mail or web.
fn is_code(raw: &str, folded: &str) -> bool {
    let raw = raw.trim();
    if raw.contains("://") || (raw.contains('@') && !raw.contains(' ')) {
        return true;
    }
    let digits = folded.bytes().filter(u8::is_ascii_digit).count();
    let letters = folded.chars().filter(|c| c.is_alphabetic()).count();
    let one_piece = !raw.contains(' ');
    (one_piece && digits >= 2 && letters >= 1 && digits + letters >= 5)
        // A date has at most eight digits.
        || (digits >= 6 && digits >= 4 * letters && (digits > 8 || parse_date(folded).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(values: &[&str]) -> FieldKind {
        let mut set = RecordSet::new(vec!["f".into()]);
        for (i, v) in values.iter().enumerate() {
            set.push(i.to_string(), [Some((*v).to_owned())]);
        }
        infer(&set, None)[0]
    }

    #[test]
    fn kinds_are_told_from_values() {
        assert_eq!(kind_of(&["1990", "(1991).", "Dec. 1989"]), FieldKind::Date);
        assert_eq!(kind_of(&["$12.50", "8", "1,200"]), FieldKind::Number);
        assert_eq!(kind_of(&["AB-1234", "CX-9921", "QQ-0001"]), FieldKind::Identifier);
        assert_eq!(kind_of(&["13.49", "8.20", "21,99", "1,299.00"]), FieldKind::Number);
        assert_eq!(kind_of(&["£12", "£1,990", "£30"]), FieldKind::Number);
        assert_eq!(kind_of(&["25.12.1999", "01/02/2003", "12.1999"]), FieldKind::Date);
        assert_eq!(kind_of(&["a@b.org", "c@d.net"]), FieldKind::Identifier);
        assert_eq!(kind_of(&["555 123 4567", "(555) 999-1111"]), FieldKind::Identifier);
        assert_eq!(kind_of(&["Paul E. Utgoff", "Kibler; D. and Aha"]), FieldKind::Names);
        assert_eq!(kind_of(&["Shift of bias for learning", "The role of trees"]), FieldKind::Text);
        assert_eq!(kind_of(&["same", "same"]), FieldKind::Ignored);
        let colours: Vec<&str> = ["red", "green"].into_iter().cycle().take(100).collect();
        assert_eq!(kind_of(&colours), FieldKind::Category);
    }

    #[test]
    fn what_is_given_wins() {
        let mut set = RecordSet::default();
        set.push_named("1", &[("a", "12"), ("b", "x")]);
        let schema = Schema { kinds: vec![("a".into(), FieldKind::Text)] };
        assert_eq!(infer(&set, Some(&schema))[0], FieldKind::Text);
        assert_eq!(FieldKind::from_name("names"), Some(FieldKind::Names));
    }
}
