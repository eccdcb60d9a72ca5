//! Hashes in a file that people and programs of any language read: hexadecimal text, because JSON's numbers lose digits
//! above 2^53 in many readers.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// One hash.
pub(crate) fn serialize<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{hash:x}"))
}

/// Reads one hash.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).map_err(D::Error::custom)
}

fn parse(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|error| format!("{text:?} is not a hash: {error}"))
}

fn join(hashes: impl Iterator<Item = u64>) -> String {
    hashes.map(|hash| format!("{hash:x}")).collect::<Vec<_>>().join(" ")
}

fn split(text: &str) -> Result<Vec<u64>, String> {
    text.split_ascii_whitespace().map(parse).collect()
}

/// A list of hashes as one text.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Error, Serializer, join, split};

    pub(crate) fn serialize<S: Serializer>(hashes: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&join(hashes.iter().copied()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
        split(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Pairs of hashes, `a>b` each.
pub(crate) mod pairs {
    use super::{Deserialize, Deserializer, Error, Serializer, parse};

    pub(crate) fn serialize<S: Serializer>(pairs: &[(u64, u64)], serializer: S) -> Result<S::Ok, S::Error> {
        let text: Vec<String> = pairs.iter().map(|(from, to)| format!("{from:x}>{to:x}")).collect();
        serializer.serialize_str(&text.join(" "))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(u64, u64)>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let pair = |text: &str| {
            let (from, to) =
                text.split_once('>').ok_or_else(|| format!("{text:?} is not a pair of hashes"))?;
            Ok((parse(from)?, parse(to)?))
        };
        text.split_ascii_whitespace().map(pair).collect::<Result<_, String>>().map_err(D::Error::custom)
    }
}

/// Hashes with shares, grouped by the share in percent: `{"100": "a1 b2", "7": "c3"}`.
pub(crate) mod shares {
    use std::collections::BTreeMap;

    use super::{Deserialize, Deserializer, Error, Serializer, join, split};

    pub(crate) fn serialize<S: Serializer>(shares: &[(u64, f32)], serializer: S) -> Result<S::Ok, S::Error> {
        let mut groups: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (hash, share) in shares {
            groups.entry(permille(*share)).or_default().push(*hash);
        }
        let groups = groups
            .into_iter()
            .rev()
            .map(|(share, hashes)| (format!("{}", f64::from(share) / 10.0), join(hashes.into_iter())));
        serializer.collect_map(groups)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(u64, f32)>, D::Error> {
        let groups: BTreeMap<String, String> = BTreeMap::deserialize(deserializer)?;
        let mut shares = Vec::new();
        for (share, hashes) in groups {
            let share: f32 =
                share.parse().map_err(|_| D::Error::custom(format!("{share:?} is not a share")))?;
            shares.extend(
                split(&hashes).map_err(D::Error::custom)?.into_iter().map(|hash| (hash, share / 100.0)),
            );
        }
        shares.sort_unstable_by_key(|share| share.0);
        Ok(shares)
    }

    /// A share as the file keeps it.
    fn permille(share: f32) -> u32 {
        (share.clamp(0.0, 1.0) * 1000.0).round() as u32
    }
}
