//! Records: an identifier and named text values, nothing else.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A table of records: the field names once, then one row of optional values for each record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordSet {
    fields: Vec<String>,
    ids: Vec<String>,
    values: Vec<Option<Box<str>>>,
}

/// A position in a [`RecordSet`].
pub type RecordIndex = u32;

/// Something that the reader of a report should know; the run goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// One sentence, with the numbers in it.
    pub text: String,
}

impl Message {
    /// Makes a message of one sentence.
    pub fn new(text: impl Into<String>) -> Message {
        Message { text: text.into() }
    }
}

/// Why a set of records cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordsError {
    /// More records than indices.
    #[error("{0} records are more than the {max} that one run can hold", max = u32::MAX)]
    TooManyRecords(usize),
    /// A field that was asked for is not in the records.
    #[error("there is no field `{name}` (the fields are {known})")]
    UnknownField {
        /// What was asked for.
        name: String,
        /// What there is, separated by commas.
        known: String,
    },
    /// A saved model does not parse or does not fit.
    #[error("the saved model cannot be used: {0}")]
    BadModel(String),
    /// Training needs pairs of both kinds.
    #[error("cannot train: {0}")]
    NothingToLearn(String),
}

impl RecordSet {
    /// An empty set with these fields.
    pub fn new(fields: Vec<String>) -> RecordSet {
        RecordSet { fields, ids: Vec::new(), values: Vec::new() }
    }

    /// Adds a record; values beyond the known fields are dropped, missing ones are `None`. Values that hold only
    /// white space count as missing.
    pub fn push(&mut self, id: impl Into<String>, values: impl IntoIterator<Item = Option<String>>) {
        self.ids.push(id.into());
        let width = self.fields.len();
        let start = self.values.len();
        self.values.extend(
            values.into_iter().take(width).map(|v| {
                v.filter(|text| text.chars().any(|c| !c.is_whitespace())).map(String::into_boxed_str)
            }),
        );
        self.values.resize(start + width, None);
    }

    /// Adds a record given as name and text; a name that is new becomes a new field of all records.
    ///
    /// Adding a field moves all values, so give the fields to [`RecordSet::new`] when they are known.
    pub fn push_named(&mut self, id: impl Into<String>, named: &[(&str, &str)]) {
        for (name, _) in named {
            if self.field(name).is_none() {
                self.add_field(name);
            }
        }
        let mut row = vec![None; self.fields.len()];
        for (name, text) in named {
            if let Some(field) = self.field(name) {
                row[field] = Some((*text).to_owned());
            }
        }
        self.push(id, row);
    }

    /// How many records.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The names of the fields in order.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The position of a field.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f == name)
    }

    /// The position of a field, or an error that lists the fields.
    pub fn require_field(&self, name: &str) -> Result<usize, RecordsError> {
        self.field(name).ok_or_else(|| RecordsError::UnknownField {
            name: name.to_owned(),
            known: self.fields.join(", "),
        })
    }

    /// The identifier of a record.
    pub fn id(&self, record: RecordIndex) -> &str {
        &self.ids[record as usize]
    }

    /// One value.
    pub fn value(&self, record: RecordIndex, field: usize) -> Option<&str> {
        self.values[record as usize * self.fields.len() + field].as_deref()
    }

    /// All values of a record in the order of the fields.
    pub fn row(&self, record: RecordIndex) -> impl Iterator<Item = Option<&str>> {
        let width = self.fields.len();
        self.values[record as usize * width..(record as usize + 1) * width].iter().map(|v| v.as_deref())
    }

    /// Appends the records of another set, matching fields by name; returns the index of the first one.
    pub fn append(&mut self, other: &RecordSet) -> RecordIndex {
        for name in &other.fields {
            if self.field(name).is_none() {
                self.add_field(name);
            }
        }
        let first = self.len() as RecordIndex;
        let source: Vec<Option<usize>> = self.fields.iter().map(|name| other.field(name)).collect();
        for record in 0..other.len() as RecordIndex {
            self.ids.push(other.id(record).to_owned());
            self.values.extend(source.iter().map(|f| f.and_then(|f| other.value(record, f)).map(Box::from)));
        }
        first
    }

    /// A set with only these records (in this order) and without the named fields.
    pub fn select(&self, records: &[RecordIndex], without: &[&str]) -> RecordSet {
        let kept: Vec<usize> =
            (0..self.fields.len()).filter(|&f| !without.contains(&self.fields[f].as_str())).collect();
        let mut out = RecordSet::new(kept.iter().map(|&f| self.fields[f].clone()).collect());
        for &record in records {
            out.ids.push(self.id(record).to_owned());
            out.values.extend(kept.iter().map(|&f| self.value(record, f).map(Box::from)));
        }
        out
    }

    /// Makes identifiers unique: the second record called `x` becomes `x#2`. Says how many were renamed.
    pub fn make_ids_unique(&mut self) -> Option<Message> {
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        for id in &self.ids {
            *seen.entry(id.clone()).or_insert(0) += 1;
        }
        if seen.len() == self.ids.len() {
            return None;
        }
        let mut taken: rustc_hash::FxHashSet<String> = seen.keys().cloned().collect();
        let mut used: FxHashMap<String, usize> = FxHashMap::default();
        let (mut renamed, mut example) = (0_usize, String::new());
        for id in &mut self.ids {
            let count = used.entry(id.clone()).or_insert(0);
            *count += 1;
            if *count == 1 {
                continue;
            }
            let mut fresh = format!("{id}#{count}");
            while !taken.insert(fresh.clone()) {
                *count += 1;
                fresh = format!("{id}#{count}");
            }
            if renamed == 0 {
                example = format!("`{id}` became `{fresh}`");
            }
            renamed += 1;
            *id = fresh;
        }
        Some(Message::new(format!("{renamed} records had an id that was already used; {example}")))
    }

    fn add_field(&mut self, name: &str) {
        let width = self.fields.len();
        self.fields.push(name.to_owned());
        let old = std::mem::take(&mut self.values);
        self.values.reserve(self.ids.len() * (width + 1));
        let mut old = old.into_iter();
        for _ in 0..self.ids.len() {
            self.values.extend(old.by_ref().take(width));
            self.values.push(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_come_late_are_missing_before() {
        let mut set = RecordSet::default();
        set.push_named("a", &[("x", "1")]);
        set.push_named("b", &[("y", "2"), ("x", "  ")]);
        assert_eq!(set.fields(), ["x", "y"]);
        assert_eq!(set.row(0).collect::<Vec<_>>(), [Some("1"), None]);
        assert_eq!(set.row(1).collect::<Vec<_>>(), [None, Some("2")]);
    }

    #[test]
    fn repeated_ids_stay_and_are_told_apart() {
        let mut set = RecordSet::new(vec!["x".into()]);
        for id in ["a", "a", "a#2", "a"] {
            set.push(id, [Some("v".to_owned())]);
        }
        let message = set.make_ids_unique();
        let ids: Vec<&str> = (0..4).map(|r| set.id(r)).collect();
        assert_eq!(ids, ["a", "a#3", "a#2", "a#4"]);
        assert!(message.is_some_and(|m| m.text.starts_with("2 records")));
        assert_eq!(set.make_ids_unique(), None);
    }

    #[test]
    fn appending_matches_fields_by_name() {
        let mut a = RecordSet::default();
        a.push_named("1", &[("x", "p"), ("y", "q")]);
        let mut b = RecordSet::default();
        b.push_named("2", &[("y", "r"), ("z", "s")]);
        assert_eq!(a.append(&b), 1);
        assert_eq!(a.row(1).collect::<Vec<_>>(), [None, Some("r"), Some("s")]);
        let picked = a.select(&[1], &["y"]);
        assert_eq!(picked.row(0).collect::<Vec<_>>(), [None, Some("s")]);
    }
}
