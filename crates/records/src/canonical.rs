//! One record for each cluster.

use std::collections::BTreeMap;

use crate::record::{RecordIndex, RecordSet};

/// Which value of a field survives when the records of a cluster differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Survivorship {
    /// The value most records have; the longer one breaks ties, then the earlier.
    #[default]
    MostFrequent,
    /// The longest value; the more frequent one breaks ties, then the earlier.
    Longest,
    /// All values of the record that has most of them; what it lacks comes from the next.
    MostComplete,
    /// The value of the first record that has one.
    First,
}

impl Survivorship {
    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Survivorship::MostFrequent => "most-frequent",
            Survivorship::Longest => "longest",
            Survivorship::MostComplete => "most-complete",
            Survivorship::First => "first",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Survivorship> {
        use Survivorship::{First, Longest, MostComplete, MostFrequent};
        [MostFrequent, Longest, MostComplete, First].into_iter().find(|s| s.name() == name)
    }
}

/// The canonical record of every cluster, in the order of the clusters; its id is that of the cluster's first record.
pub fn canonical(records: &RecordSet, clusters: &[u32], rule: Survivorship) -> RecordSet {
    let count = clusters.iter().max().map_or(0, |m| *m as usize + 1);
    let mut members: Vec<Vec<RecordIndex>> = vec![Vec::new(); count];
    for (record, &cluster) in clusters.iter().enumerate().take(records.len()) {
        members[cluster as usize].push(record as RecordIndex);
    }
    let mut out = RecordSet::new(records.fields().to_vec());
    for mut of in members.into_iter().filter(|m| !m.is_empty()) {
        let id = records.id(of[0]).to_owned();
        if rule == Survivorship::MostComplete {
            of.sort_by_key(|&r| (std::cmp::Reverse(records.row(r).flatten().count()), r));
        }
        let row: Vec<Option<String>> = (0..records.fields().len())
            .map(|field| survivor(records, &of, field, rule).map(str::to_owned))
            .collect();
        out.push(id, row);
    }
    out
}

fn survivor<'r>(
    records: &'r RecordSet,
    members: &[RecordIndex],
    field: usize,
    rule: Survivorship,
) -> Option<&'r str> {
    let mut values = members.iter().filter_map(|&r| records.value(r, field));
    match rule {
        Survivorship::First | Survivorship::MostComplete => values.next(),
        Survivorship::MostFrequent | Survivorship::Longest => {
            let mut counted: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for (place, value) in values.enumerate() {
                counted.entry(value).or_insert((0, place)).0 += 1;
            }
            let best = counted.into_iter().max_by_key(|(value, (count, place))| {
                let (length, earlier) = (value.chars().count(), std::cmp::Reverse(*place));
                if rule == Survivorship::Longest {
                    (length, *count, earlier)
                } else {
                    (*count, length, earlier)
                }
            });
            best.map(|(value, _)| value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_keeps_its_value() {
        let mut set = RecordSet::default();
        set.push_named("1", &[("name", "Ann"), ("city", "Rome")]);
        set.push_named("2", &[("name", "Ann"), ("city", "Roma Capitale")]);
        set.push_named("3", &[("name", "Anna B."), ("city", "Rome"), ("zip", "00100")]);
        set.push_named("4", &[("name", "Bob")]);
        let clusters = [0, 0, 0, 1];
        let row = |rule| {
            let out = canonical(&set, &clusters, rule);
            assert_eq!((out.len(), out.id(0), out.id(1)), (2, "1", "4"));
            out.row(0).map(|v| v.unwrap_or("-").to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(row(Survivorship::MostFrequent), ["Ann", "Rome", "00100"]);
        assert_eq!(row(Survivorship::Longest), ["Anna B.", "Roma Capitale", "00100"]);
        assert_eq!(row(Survivorship::MostComplete), ["Anna B.", "Rome", "00100"]);
        assert_eq!(row(Survivorship::First), ["Ann", "Rome", "00100"]);
        assert_eq!(Survivorship::from_name("longest"), Some(Survivorship::Longest));
    }
}
