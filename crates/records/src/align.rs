//! Which fields of two sources mean the same, told from their values.

use rustc_hash::FxHashSet;

use crate::record::{RecordIndex, RecordSet};
use crate::text;

/// Two fields that mean the same.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldMatch {
    /// The field's position in the first source.
    pub first: usize,
    /// The field's position in the second source.
    pub second: usize,
    /// Share of the different values of the side that has fewer which the other has too.
    pub shared: f64,
    /// How many different values both have.
    pub common: usize,
    /// Whether the values tell the records of the second source apart.
    pub identifies: bool,
}

/// Records looked at on either side, spread evenly.
const SAMPLE: usize = 20_000;
/// Share of the values that must be on both sides. Unrelated columns share a few common words and small numbers; columns of
/// one thing share most, less what is written differently and what only one side has.
const SHARED: f64 = 0.3;
/// The fewest different values on both sides: two may be chance.
const COMMON: usize = 3;
/// Share of a field's values that must be different, and of the records that must have one, to tell records apart.
const DISTINCT: f64 = 0.8;

/// Finds the fields of two sources that hold the same things, whatever they are called; each field is used once.
///
/// # What it does
/// For every two fields the share of different folded values that both have. Fields of equal name come first, then the pair
/// that shares most; ties go to the pair with more common values, then to the earlier fields.
/// # Assumes
/// The sources overlap: some things are in both and written alike in some field.
/// # When it fails
/// Fields of few values (colours, ratings) look alike whatever they mean; that is why
/// [`identifies`](FieldMatch::identifies) is told.
/// # Paper
/// Rahm and Bernstein 2001, instance-based schema matching.
pub fn align_fields(first: &RecordSet, second: &RecordSet) -> Vec<FieldMatch> {
    FieldProfiles::of(first).align(&FieldProfiles::of(second))
}

/// What the fields of a source hold, so that it can be held against several others.
#[derive(Debug, Clone)]
pub struct FieldProfiles {
    fields: Vec<Profile>,
}

impl FieldProfiles {
    /// Looks at the values of every field.
    pub fn of(records: &RecordSet) -> FieldProfiles {
        FieldProfiles {
            fields: (0..records.fields().len()).map(|field| Profile::of(records, field)).collect(),
        }
    }

    /// As [`align_fields`].
    pub fn align(&self, second: &FieldProfiles) -> Vec<FieldMatch> {
        let mut found: Vec<(bool, FieldMatch)> = Vec::new();
        for (a, x) in self.fields.iter().enumerate() {
            for (b, y) in second.fields.iter().enumerate() {
                let named_alike = x.name.eq_ignore_ascii_case(&y.name);
                found.extend(x.against(y, a, b).map(|pair| (named_alike, pair)));
            }
        }
        one_each(found)
    }

    /// How many different values a field here shares with a field there that tells records apart; 0 when there is no such
    /// field. Much cheaper than aligning everything.
    pub fn common_keys(&self, second: &FieldProfiles) -> usize {
        let keys = second.fields.iter().filter(|y| y.distinct && y.telling);
        let pairs = keys.flat_map(|y| self.fields.iter().filter_map(move |x| x.against(y, 0, 0)));
        pairs.filter(|pair| pair.identifies).map(|pair| pair.common).max().unwrap_or(0)
    }
}

fn one_each(mut found: Vec<(bool, FieldMatch)>) -> Vec<FieldMatch> {
    found.sort_by(|(p, x), (q, y)| {
        q.cmp(p)
            .then_with(|| y.shared.total_cmp(&x.shared))
            .then(y.common.cmp(&x.common))
            .then((x.first, x.second).cmp(&(y.first, y.second)))
    });
    let mut out: Vec<FieldMatch> = Vec::new();
    for (_, pair) in found {
        if out.iter().all(|taken| taken.first != pair.first && taken.second != pair.second) {
            out.push(pair);
        }
    }
    out.sort_by_key(|pair| pair.first);
    out
}

/// What is known of one field.
#[derive(Debug, Clone)]
struct Profile {
    name: String,
    /// Fingerprints of the different folded values.
    values: FxHashSet<u64>,
    /// Nearly every record has a value of its own.
    distinct: bool,
    /// The values are words or long numbers, not counts.
    telling: bool,
}

impl Profile {
    fn of(records: &RecordSet, field: usize) -> Profile {
        let step = records.len().div_ceil(SAMPLE).max(1);
        let mut values = FxHashSet::default();
        let (mut looked, mut present, mut telling) = (0_usize, 0_usize, 0_usize);
        for record in (0..records.len()).step_by(step) {
            looked += 1;
            let folded = records.value(record as RecordIndex, field).map(text::fold).unwrap_or_default();
            if !folded.is_empty() {
                present += 1;
                telling += usize::from(tells(&folded));
                values.insert(text::fingerprint(&folded));
            }
        }
        let most = |part: usize, whole: usize| part as f64 >= DISTINCT * whole as f64;
        Profile {
            name: records.fields()[field].clone(),
            distinct: present > 0 && most(values.len(), present) && most(present, looked),
            telling: present > 0 && most(telling, present),
            values,
        }
    }

    /// The match of two fields, when they share enough.
    fn against(&self, other: &Profile, first: usize, second: usize) -> Option<FieldMatch> {
        let (x, y) = (&self.values, &other.values);
        let (small, large) = if x.len() <= y.len() { (x, y) } else { (y, x) };
        let common = small.iter().filter(|v| large.contains(v)).count();
        let shared = common as f64 / small.len().max(1) as f64;
        let identifies = other.distinct && self.telling && other.telling;
        (common >= COMMON && shared >= SHARED).then_some(FieldMatch {
            first,
            second,
            shared,
            common,
            identifies,
        })
    }
}

/// A word of three letters, or a number longer than a year.
fn tells(folded: &str) -> bool {
    folded.chars().filter(|c| c.is_alphabetic()).count() >= 3
        || folded.bytes().filter(u8::is_ascii_digit).count() >= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_matched_by_what_they_hold() {
        let (mut list, mut detail) = (RecordSet::default(), RecordSet::default());
        for n in 0..20 {
            let (name, price) = (format!("Book number {n}"), format!("{}.50", n % 7));
            if n % 2 == 0 {
                list.push_named(n.to_string(), &[("link", &name), ("price", &price), ("stars", "5")]);
            }
            detail.push_named(n.to_string(), &[("price_now", &price), ("heading", &name), ("stars", "5")]);
        }
        let found = align_fields(&list, &detail);
        let named: Vec<(&str, &str, bool)> = found
            .iter()
            .map(|m| (list.fields()[m.first].as_str(), detail.fields()[m.second].as_str(), m.identifies))
            .collect();
        assert_eq!(named, [("link", "heading", true), ("price", "price_now", false)]);
        assert!(align_fields(&RecordSet::default(), &detail).is_empty());
    }
}
