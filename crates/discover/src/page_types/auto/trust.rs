//! How far addresses are believed: as far as the pages behind them differ otherwise.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::readings::Reading;
use crate::experts::{EXPERTS, Weights, position};

/// The experts that look at addresses.
pub(super) const ADDRESSES: [&str; 2] = ["url", "base-url"];

/// The experts that are asked whether pages with other addresses are other pages: what they are built from, who leads to them,
/// what they call themselves. Not those that look at words, for a brand in the address also stands in the title.
const WITNESSES: [&str; 3] = ["path-set", "in-links", "embedded"];

/// Pages with one route that can be compared with others: with fewer there is no telling how alike pages of the route are.
pub(super) const LEAST_PAGES: usize = 3;

/// Pages of each route that are compared, and routes: the largest. What they cost is bounded by these.
const PAGES: usize = 4;
const ROUTES: usize = 40;

/// Addresses are believed in full where at least a fifth of the distance between pages lies between routes and not within them:
/// set by hand. With a half, lists by tag and by author that are built alike became one type.
const BELIEVED: f64 = 0.2;

/// Where fewer pairs of pages than this differ in their addresses, those say nothing: all pages of one kind would look so, and all
/// pages of a program with one route.
const TELLING: f64 = 0.02;

/// A likeness of addresses that tells pages apart.
const APART: f64 = 0.5;

/// Two primes that deal pages into pairs from all over the site, the same on every run.
const DEALS: [usize; 2] = [37, 53];

/// What the addresses of a site are worth.
///
/// # What it does
/// Pages with the same route words are a group. Two things speak for the routes of two groups, by what experts say who do not
/// see addresses: the energy distance of Szekely and Rizzo, which is the share of the distance between their pages that is due
/// to the groups; and how much nearer pages of one group are to each other than any two pages of the site. Both are
/// nothing where all pages are of one kind and the address names a brand, and where it names an order of rows or a session,
/// which pages of every kind have. The larger share of what addresses say against one type is believed.
/// # Assumes
/// Pages of different kinds differ in something else than their addresses.
/// # When it fails
/// Routes with few pages, which are believed without being asked; brands on a site that has other pages besides.
/// # Paper
/// Szekely and Rizzo 2004 for the statistic; its use is ours.
#[derive(Default)]
pub(super) struct Trust {
    /// For two routes, the share of what their addresses say that is believed; 1 for those that are not here.
    of: FxHashMap<(u64, u64), f64>,
    /// Nothing can be told by the addresses of this site.
    mute: bool,
}

impl Trust {
    /// Compares the pages of each two routes.
    pub(super) fn of(pages: &[Reading], weights: &[Weights], on: &[bool]) -> Self {
        let witnesses: Vec<usize> =
            WITNESSES.iter().filter_map(|name| position(name).filter(|&at| on[at])).collect();
        let mut routes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (at, page) in pages.iter().enumerate() {
            routes.entry(page.route).or_default().push(at);
        }
        let mut groups: Vec<(u64, Vec<usize>)> =
            routes.into_iter().filter(|(_, pages)| pages.len() >= LEAST_PAGES).collect();
        groups.sort_by_key(|(route, pages)| (std::cmp::Reverse(pages.len()), *route));
        groups.truncate(ROUTES);
        for (_, pages) in &mut groups {
            *pages = crate::site::spread(pages, PAGES);
        }
        let distance = |a: usize, b: usize| {
            let heard = witnesses
                .iter()
                .filter_map(|&at| (EXPERTS[at].score)(&weights[at], &pages[a][at], &pages[b][at]));
            let (sum, count) =
                heard.fold((0.0, 0.0), |all, score| (all.0 + score.clamp(0.0, 1.0), all.1 + 1.0));
            if count > 0.0 { 1.0 - sum / count } else { 0.0 }
        };
        let within: Vec<f64> = groups.par_iter().map(|(_, own)| mean_distance(own, own, distance)).collect();
        let anywhere = pairs_of_the_site(pages.len())
            .fold((0.0, 0.0), |all, (a, b)| (all.0 + distance(a, b), all.1 + 1.0));
        let anywhere = if anywhere.1 > 0.0 { anywhere.0 / anywhere.1 } else { 0.0 };
        let pairs: Vec<(usize, usize)> =
            (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let of = pairs
            .into_par_iter()
            .map(|(a, b)| {
                let across = mean_distance(&groups[a].1, &groups[b].1, distance);
                (ordered(groups[a].0, groups[b].0), believed(across, within[a], within[b], anywhere))
            })
            .collect();
        let mut trust = Trust { of, mute: false };
        if let Some(url) = position(ADDRESSES[0]).filter(|&at| on[at]) {
            let differ = |a: usize, b: usize| {
                let score = (EXPERTS[url].score)(&weights[url], &pages[a][url], &pages[b][url])?;
                Some(trust.believed(&pages[a], &pages[b], score)? < APART)
            };
            let pairs = pairs_of_the_site(pages.len());
            let (all, apart) = pairs.fold((0.0, 0.0), |all, (a, b)| {
                (all.0 + 1.0, all.1 + f64::from(u8::from(differ(a, b) == Some(true))))
            });
            trust.mute = apart < TELLING * all;
        }
        trust
    }

    /// A score of two addresses as far as it is believed; `None` where addresses say nothing.
    pub(super) fn believed(&self, a: &Reading, b: &Reading, score: f64) -> Option<f64> {
        let share = self.of.get(&ordered(a.route, b.route)).copied().unwrap_or(1.0);
        (!self.mute).then_some(1.0 - (1.0 - score) * share)
    }
}

fn ordered(a: u64, b: u64) -> (u64, u64) {
    (a.min(b), a.max(b))
}

/// The mean distance of pages of two groups, or of all pairs of one.
fn mean_distance(a: &[usize], b: &[usize], distance: impl Fn(usize, usize) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for &x in a {
        for &y in b.iter().filter(|&&y| y != x) {
            sum += distance(x, y);
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Some pairs of pages from all over the site.
fn pairs_of_the_site(pages: usize) -> impl Iterator<Item = (usize, usize)> {
    let pairs = DEALS.iter().flat_map(move |&deal| (0..pages).map(move |a| (a, (a * deal + deal) % pages)));
    pairs.filter(|(a, b)| a != b)
}

/// Which part of what addresses say is believed, by the mean distances of the pages of two groups across and within, and of any
/// pages of the site.
fn believed(across: f64, one: f64, other: f64, anywhere: f64) -> f64 {
    let share = |distance: f64| if distance > 0.0 { 1.0 - (one + other) / (2.0 * distance) } else { 0.0 };
    (share(across).max(share(anywhere)) / BELIEVED).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_on_a_site_of_one_kind_are_not_believed() {
        assert_eq!(believed(0.2, 0.2, 0.2, 0.2), 0.0);
        assert_eq!(believed(0.0, 0.0, 0.0, 0.0), 0.0);
        assert!(believed(0.2, 0.195, 0.195, 0.2) < 0.3);
    }

    #[test]
    fn kinds_of_pages_are_believed_even_where_two_are_built_alike() {
        assert_eq!(believed(0.6, 0.1, 0.2, 0.5), 1.0);
        assert_eq!(believed(0.1, 0.1, 0.1, 0.5), 1.0);
    }

    #[test]
    fn what_pages_of_every_kind_have_is_not_believed() {
        assert_eq!(believed(0.5, 0.5, 0.5, 0.5), 0.0);
    }
}
