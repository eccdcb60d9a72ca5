//! How a site numbers the parts of its long pages.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{Addresses, Paging, without_parameter};

use crate::site::Site;

/// Of the pages with a number in one place, the share whose address without it is a page read into the same table.
const HAVE_A_FIRST: f64 = 0.8;
/// Things without which a parameter says nothing.
const FEWEST_THINGS: usize = 3;
/// Pages without which a number says nothing.
const FEWEST: usize = 2;
/// The number of the part behind the first.
const SECOND: u64 = 2;

/// Finds the numbers that only say which part of a long page an address leads to.
///
/// # What it does
/// A number in an address numbers parts when the address without it is there too, as a page of the same template: `/list?page=2`
/// beside `/list`. The number of a thing (`/item?id=2`) has no such page beside it.
///
/// # When it fails
/// Where the first part is known by its number alone (`?page=1`, and no page without it).
///
/// # Paper
/// Ours.
pub(super) fn paging(site: &Site, table_of: &[Option<usize>]) -> Addresses {
    let plain = |url: &'_ str| url.split('#').next().unwrap_or(url).to_owned();
    let tables: FxHashMap<String, Option<usize>> =
        site.pages.iter().zip(table_of).map(|(page, &table)| (plain(&page.raw.url), table)).collect();
    let mut votes: BTreeMap<Paging, (BTreeSet<&str>, usize, bool)> = BTreeMap::new();
    for (page, table) in site.pages.iter().zip(table_of) {
        let url = page.raw.url.as_str();
        for way in ways(url) {
            let Some((first, number)) = way.without(url.split('#').next().unwrap_or(url)) else { continue };
            let vote = votes.entry(way).or_default();
            vote.0.insert(url);
            // The second part beside the first needs no further witness.
            vote.2 |= number == SECOND;
            vote.1 += usize::from(table.is_some() && tables.get(&first) == Some(table));
        }
    }
    let holds = |&(_, (pages, first, second)): &(&Paging, &(BTreeSet<&str>, usize, bool))| {
        (pages.len() >= FEWEST || *second) && *first as f64 >= HAVE_A_FIRST * pages.len() as f64
    };
    Addresses {
        paging: votes.iter().filter(holds).map(|(way, _)| way.clone()).collect(),
        ..Addresses::default()
    }
}

/// Finds the parameters that only say how somebody came to a thing, or how it is shown.
///
/// # What it does
/// `/chair?from=search` is `/chair` when that is there too, as a page of the same template or as one that nobody read, and so for several
/// things. What a parameter of a thing is needed for (`/item?id=2`) has no page without it.
///
/// # When it fails
/// Where a parameter shows another thing to those who ask for one, and the first of them to those who do not.
///
/// # Paper
/// Ours.
pub(super) fn options<'a>(
    tables: &FxHashMap<&str, Option<usize>>,
    addresses: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let mut votes: BTreeMap<&str, (FxHashSet<&str>, FxHashSet<String>, usize)> = BTreeMap::new();
    for url in addresses.filter_map(|url| url.split('#').next()) {
        let Some((_, query)) = url.split_once('?') else { continue };
        let names = query.split(['&', ';']).filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
        for name in names.filter(|name| !name.is_empty()) {
            let vote = votes.entry(name).or_default();
            let Some((plain, _)) = without_parameter(url, name).filter(|_| vote.0.insert(url)) else {
                continue;
            };
            let is_same =
                |table: &Option<usize>| table.is_some() && tables.get(url).is_none_or(|own| own == table);
            if tables.get(plain.as_str()).is_some_and(is_same) {
                vote.1.insert(plain);
                vote.2 += 1;
            }
        }
    }
    let holds = |(all, things, plain): &(FxHashSet<&str>, FxHashSet<String>, usize)| {
        things.len() >= FEWEST_THINGS && *plain as f64 >= HAVE_A_FIRST * all.len() as f64
    };
    votes.iter().filter(|(_, vote)| holds(vote)).map(|(name, _)| (*name).to_owned()).collect()
}

/// Every place of an address with a number that may be one.
fn ways(url: &str) -> Vec<Paging> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let pairs =
        query.split('#').next().unwrap_or("").split(['&', ';']).filter_map(|pair| pair.split_once('='));
    let mut ways: Vec<Paging> = pairs
        .filter(|(name, value)| !name.is_empty() && is_number(value))
        .map(|(name, _)| Paging::Parameter(name.to_owned()))
        .collect();
    let parts: Vec<&str> = path.split('/').collect();
    let words =
        parts.windows(2).skip(3).filter(|two| !is_number(two[0]) && !two[0].is_empty() && is_number(two[1]));
    ways.extend(words.map(|two| Paging::Segment(two[0].to_owned())));
    ways
}

#[cfg(test)]
mod tests {
    use unsite_dom::{Limits, RawPage};

    use super::*;

    fn found(urls: &[&str]) -> Vec<Paging> {
        let page = |url: &&str| RawPage { url: (*url).into(), bytes: b"<p>x".to_vec(), ..RawPage::default() };
        let site = Site::parse(urls.iter().map(page).collect(), &Limits::default());
        paging(&site, &vec![Some(0); urls.len()]).paging
    }

    #[test]
    fn how_somebody_came_to_a_thing_is_no_part_of_its_address() {
        let things = ["http://a.example/a", "http://a.example/b", "http://a.example/c"];
        let tables = things.iter().map(|thing| (*thing, Some(0))).collect();
        let links: Vec<String> = things.iter().map(|thing| format!("{thing}?from=search")).collect();
        assert_eq!(options(&tables, links.iter().map(String::as_str)), ["from"]);
        // One page that answers all questions is another matter.
        let asked = ["http://a.example/a?q=x", "http://a.example/a?q=y", "http://a.example/a?q=z"];
        assert!(options(&tables, asked.into_iter()).is_empty());
        // What is shown in another way is another page.
        let history = links.iter().map(|link| (link.as_str(), Some(1)));
        let tables = tables.iter().map(|(url, table)| (*url, *table)).chain(history).collect();
        assert!(options(&tables, links.iter().map(String::as_str)).is_empty());
    }

    #[test]
    fn numbers_of_parts_are_told_from_numbers_of_things() {
        let parts = ["http://a.example/l", "http://a.example/l?page=2", "http://a.example/l?page=3"];
        assert_eq!(found(&parts), [Paging::Parameter("page".into())]);
        let things = ["http://a.example/t?id=1", "http://a.example/t?id=2", "http://a.example/t?id=3"];
        assert_eq!(found(&things), []);
        let path = ["http://a.example/x/", "http://a.example/x/page/2/", "http://a.example/x/page/3/"];
        assert_eq!(found(&path), [Paging::Segment("page".into())]);
        assert_eq!(found(&["http://a.example/2025/01/", "http://a.example/2025/02/"]), []);
    }
}
