//! Several searches behind one form.

use rustc_hash::{FxHashMap, FxHashSet};

use super::search::{Link, Search};

/// Answers are of one kind when this share of them has one kind of address: a search may find a stray page besides.
const OF_ONE_KIND: f64 = 0.9;

/// They are of another kind than those of a second search when at most this share of the second's has that address.
const OTHERWISE: f64 = 0.5;

/// The pages that answer searches; `None` for all others.
pub(super) struct Asked {
    pub(super) searches: Vec<Option<(Search, Vec<Link>)>>,
}

/// One search of a type.
pub(super) struct OneSearch {
    /// Where its answers stand.
    pub(super) place: u64,
    /// What its addresses ask for: the names of parameters, hashed.
    pub(super) names: Vec<u64>,
    /// The pages that answer it.
    pub(super) pages: Vec<usize>,
}

impl Asked {
    /// The searches among the pages of one type, the main one first; none where no page has an answer. Addresses with
    /// other parameters are another search when their answers never stand where the main one's do, or lead to another
    /// kind of address: a shop's goods and its articles, found by one form.
    pub(super) fn apart(&self, pages: &[usize]) -> Vec<OneSearch> {
        let mut by_names: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for &page in pages {
            if let Some((search, _)) = &self.searches[page] {
                by_names.entry(search.names).or_default().push(page);
            }
        }
        let mut by_names: Vec<(u64, Vec<usize>)> = by_names.into_iter().collect();
        by_names.sort_by_key(|(names, pages)| (std::cmp::Reverse(pages.len()), *names));
        let mut found: Vec<OneSearch> = Vec::new();
        for (names, pages) in by_names {
            let own = place(pages.iter().map(|&page| self.links(page)));
            let has = |place: u64| {
                let answers = |page: &&usize| self.links(**page).iter().any(|link| link.place == place);
                pages.iter().filter(answers).count()
            };
            let is_other = |own: u64| {
                found.iter().all(|main| {
                    has(main.place) == 0 || self.lead_elsewhere((own, &pages), (main.place, &main.pages))
                })
            };
            let joins = match own {
                Some(own) if pages.len() > 1 && has(own) * 2 > pages.len() && is_other(own) => None,
                _ => found.iter().position(|main| has(main.place) > 0).or((!found.is_empty()).then_some(0)),
            };
            match (joins, own) {
                (Some(at), _) => {
                    found[at].names.push(names);
                    found[at].pages.extend(pages);
                }
                (None, Some(place)) => found.push(OneSearch { place, names: vec![names], pages }),
                (None, None) => {}
            }
        }
        found
    }

    fn links(&self, page: usize) -> &[Link] {
        self.searches[page].as_ref().map_or(&[][..], |(_, links)| links.as_slice())
    }

    /// Whether the answers of one of two searches, each given by where they stand and its pages, all lead to one kind of
    /// address and those of the other mostly do not. A filter over the same things leads to the same addresses.
    fn lead_elsewhere(&self, one: (u64, &[usize]), other: (u64, &[usize])) -> bool {
        let shares = |(place, pages): (u64, &[usize])| {
            let links = pages.iter().flat_map(|&page| self.links(page)).filter(|link| link.place == place);
            let mut counts: FxHashMap<u64, f64> = FxHashMap::default();
            links.for_each(|link| *counts.entry(link.kind).or_default() += 1.0);
            let all = counts.values().sum::<f64>();
            counts.values_mut().for_each(|count| *count /= all);
            counts
        };
        let (one, other) = (shares(one), shares(other));
        let differs = |a: &FxHashMap<u64, f64>, b: &FxHashMap<u64, f64>| {
            a.iter().any(|(kind, &share)| {
                share >= OF_ONE_KIND && b.get(kind).copied().unwrap_or(0.0) <= OTHERWISE
            })
        };
        differs(&one, &other) || differs(&other, &one)
    }
}

/// Where the answers stand.
fn place<'l>(pages: impl Iterator<Item = &'l [Link]>) -> Option<u64> {
    let mut places: FxHashMap<u64, (FxHashSet<usize>, FxHashSet<u64>)> = FxHashMap::default();
    for (page, links) in pages.enumerate() {
        for link in links {
            let (pages, targets) = places.entry(link.place).or_default();
            pages.insert(page);
            targets.insert(link.target);
        }
    }
    let rank = |place: &(u64, (FxHashSet<usize>, FxHashSet<u64>))| {
        (place.1.0.len(), place.1.1.len(), std::cmp::Reverse(place.0))
    };
    places.into_iter().filter(|place| place.1.1.len() > 1).max_by_key(rank).map(|(place, _)| place)
}
