//! Web addresses: on which site a row was found does not say what it is about.

use rustc_hash::FxHashSet;

use crate::record::{RecordIndex, RecordSet};

/// Values looked at, spread evenly over the records.
const SAMPLE: usize = 2_000;
/// Share of the values that must be addresses with something behind the host.
const ADDRESSES: f64 = 0.8;
/// Two hosts are two sources...
const FEW_HOSTS: usize = 2;
/// ...and so are more of them, as long as each has this many values on average. Homepages have a host each.
const VALUES_OF_A_HOST: usize = 20;

/// Whether a field holds addresses of a few sites, so that only what follows the host tells records apart.
pub(super) fn are_of_few_hosts(records: &RecordSet, field: usize) -> bool {
    let step = records.len().div_ceil(SAMPLE).max(1);
    let (mut values, mut addresses) = (0_usize, 0_usize);
    let mut hosts: FxHashSet<String> = FxHashSet::default();
    for record in (0..records.len()).step_by(step) {
        let Some(value) = records.value(record as RecordIndex, field) else { continue };
        values += 1;
        if let Some((host, path)) = split(value) {
            hosts.insert(host.to_ascii_lowercase());
            addresses += usize::from(path.contains(char::is_alphanumeric));
        }
    }
    let few = hosts.len() <= FEW_HOSTS.max(values / VALUES_OF_A_HOST);
    few && values > 0 && addresses as f64 >= ADDRESSES * values as f64
}

/// What follows the host of an address; any other value as it is.
pub(super) fn without_host(value: &str) -> &str {
    split(value).map_or(value, |(_, path)| path)
}

/// Host and what follows it, of `scheme://host/path`.
fn split(value: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = value.trim().split_once("://")?;
    if scheme.is_empty() || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Some(rest.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[String]) -> bool {
        let mut set = RecordSet::new(vec!["url".into()]);
        values.iter().enumerate().for_each(|(i, v)| set.push(i.to_string(), [Some(v.clone())]));
        are_of_few_hosts(&set, 0)
    }

    #[test]
    fn the_hosts_of_two_sites_are_left_out_and_those_of_homepages_are_not() {
        let rows = |host: &str| (0..5).map(|n| format!("http://{host}/item/{n}")).collect::<Vec<String>>();
        assert!(of(&[rows("a.example"), rows("b.example:8080")].concat()));
        assert!(!of(&(0..9).map(|n| format!("https://company{n}.example/about")).collect::<Vec<_>>()));
        assert!(!of(&["http://a.example/".to_owned(), "http://b.example".to_owned()]));
        assert!(!of(&["plain".to_owned()]) && !of(&[]));
        assert_eq!(without_host("https://a.example/x?y=1"), "/x?y=1");
        assert_eq!(without_host("see http://a.example/x"), "see http://a.example/x");
        assert_eq!(without_host("http://a.example"), "");
    }
}
