//! Small types whose pages have nothing in common but the frame of the site.
//!
//! # What it does
//! Pages that are single of their kind (an overview, a form, a list of everything) are like each other in what they lack, and
//! what they have in common with all pages speaks for one type. Here only what is not of the frame is heard: the places of the
//! texts that no template of the site repeats, each the less the more types have it. A page of a small type leaves it where it
//! shares less than half as much with it as pages of the site's types usually do, and no more than with another type.
//! # Assumes
//! Most pages of the site are of types that hold together.
//! # When it fails
//! Pages with hardly any text of their own.
//! # Paper
//! None; the places of varying texts are those that templates are told by, the comparison with the nearest other
//! type is the silhouette of Rousseeuw (1987).

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_learn::agglomerative::{Linkage, agglomerative};
use unsite_wrapper::ClassMap;

use super::templates::{SHARED, TELLING_PAGES, on_half, texts};
use crate::site::{Site, spread};

/// A type of more pages is not one of single pages.
const SMALL: usize = 24;

/// The pages that leave each type, in the groups that hold together.
pub(super) fn leaving(site: &Site, classes: &ClassMap, members: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let chosen: Vec<Vec<usize>> = members.iter().map(|pages| spread(pages, SMALL)).collect();
    let read = |page: &usize| texts(&site.pages[*page].tree, classes);
    let texts_of: Vec<Vec<Vec<(u64, u64)>>> =
        chosen.par_iter().map(|pages| pages.iter().map(read).collect()).collect();
    let telling = texts_of.iter().filter(|pages| pages.len() >= TELLING_PAGES);
    let frame: FxHashSet<u64> = telling.flat_map(|pages| on_half(pages)).collect();
    let types: Vec<Places> = texts_of.par_iter().map(|pages| Places::of(pages, &frame)).collect();
    let weights = weights(&types);
    let own: Vec<Vec<f64>> = types.par_iter().map(|places| places.to_the_others(&weights)).collect();
    let mut all: Vec<f64> =
        own.iter().filter(|pages| pages.len() >= TELLING_PAGES).flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let Some(usual) = all.get(all.len() / 2).copied() else { return Vec::new() };
    let leaves = |at: usize, page: usize| {
        let likeness = own[at][page];
        let nearer =
            |other: usize| other != at && types[other].likeness(&types[at].pages[page], &weights) >= likeness;
        likeness < SHARED * usual && (0..types.len()).any(nearer)
    };
    let small = |at: &usize| members[*at].len() > 1 && members[*at].len() <= SMALL;
    let left: Vec<Vec<Vec<usize>>> = (0..members.len())
        .into_par_iter()
        .filter(small)
        .map(|at| {
            let mut alone: Vec<usize> = (0..chosen[at].len()).filter(|&page| leaves(at, page)).collect();
            // Somebody has to keep the name.
            if alone.len() == chosen[at].len() {
                alone.remove(0);
            }
            let apart = |a: usize, b: usize| {
                1.0 - alike(&types[at].pages[alone[a]], &types[at].pages[alone[b]], &weights)
            };
            let labels = agglomerative(alone.len(), Linkage::Average, apart).cut(1.0 - SHARED * usual);
            let mut groups: Vec<Vec<usize>> = Vec::new();
            for (&page, &label) in alone.iter().zip(&labels) {
                groups.resize_with(groups.len().max(label as usize + 1), Vec::new);
                groups[label as usize].push(chosen[at][page]);
            }
            groups
        })
        .collect();
    left.into_iter().flatten().collect()
}

/// Where the own texts of a type's pages stand.
struct Places {
    /// For each page its places, sorted.
    pages: Vec<Vec<u64>>,
    /// For each place the number of pages that have it, sorted.
    having: Vec<(u64, usize)>,
}

impl Places {
    fn of(pages: &[Vec<(u64, u64)>], frame: &FxHashSet<u64>) -> Self {
        let pages: Vec<Vec<u64>> = pages.iter().map(|page| own_places(page, frame)).collect();
        let mut all: Vec<u64> = pages.iter().flatten().copied().collect();
        all.sort_unstable();
        Places { pages, having: all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect() }
    }

    /// How much of what a page and those of the type have is where both have something.
    fn likeness(&self, page: &[u64], weights: &FxHashMap<u64, f64>) -> f64 {
        self.overlap(page, 0, weights)
    }

    /// The same for each of its own pages and the others.
    fn to_the_others(&self, weights: &FxHashMap<u64, f64>) -> Vec<f64> {
        self.pages.iter().map(|page| self.overlap(page, 1, weights)).collect()
    }

    /// `known` is how often the page itself was counted.
    fn overlap(&self, page: &[u64], known: usize, weights: &FxHashMap<u64, f64>) -> f64 {
        let others = self.pages.len().saturating_sub(known) as f64;
        if others == 0.0 {
            return 0.0;
        }
        let weight = |place: &u64| weights.get(place).copied().unwrap_or(1.0);
        let (mut both, mut either): (f64, f64) = (0.0, page.iter().map(weight).sum());
        for (place, having) in &self.having {
            let shared = page.binary_search(place).is_ok();
            let share = if shared { having - known } else { *having } as f64 / others;
            *(if shared { &mut both } else { &mut either }) += share * weight(place);
        }
        if either > 0.0 { both / either } else { 0.0 }
    }
}

/// What a place says: the less, the more types have it.
fn weights(types: &[Places]) -> FxHashMap<u64, f64> {
    let mut having: FxHashMap<u64, usize> = FxHashMap::default();
    let places = types.iter().flat_map(|places| &places.having);
    places.for_each(|(place, _)| *having.entry(*place).or_default() += 1);
    let others = types.len().saturating_sub(1).max(1) as f64;
    having.into_iter().map(|(place, types)| (place, 1.0 - (types - 1) as f64 / others)).collect()
}

/// The places of the texts that are not of the frame, sorted.
fn own_places(page: &[(u64, u64)], frame: &FxHashSet<u64>) -> Vec<u64> {
    let own = page.iter().filter(|(_, text)| !frame.contains(text));
    let mut places: Vec<u64> = own.map(|(path, _)| *path).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// How much of what two pages have is where both have something.
fn alike(a: &[u64], b: &[u64], weights: &FxHashMap<u64, f64>) -> f64 {
    let weigh = |places: &mut dyn Iterator<Item = &u64>| -> f64 { places.map(|place| weights[place]).sum() };
    let both = weigh(&mut a.iter().filter(|place| b.binary_search(place).is_ok()));
    let either = weigh(&mut a.iter()) + weigh(&mut b.iter()) - both;
    if either > 0.0 { both / either } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    #[test]
    fn single_pages_come_apart_and_optional_parts_do_not() {
        let frame = "<div class=top><a href=/>Home</a></div>";
        let item = |n: usize| {
            let more =
                if n.is_multiple_of(2) { format!("<p class=note>note {n}</p>") } else { String::new() };
            format!("{frame}<h1>Item {n}</h1><b>{n} euro</b><p>text of {n}</p>{more}")
        };
        let list: String = (0..9).map(|n| format!("<li><a href=/{n}>Thing {n}</a></li>")).collect();
        let single = [
            format!("{frame}<ul>{list}</ul>"),
            format!("{frame}<table><tr><td>one<td>two<tr><td>three<td>four</table>"),
            format!("{frame}<form><label>Words</label><i>hint</i></form>"),
        ];
        let pages: Vec<String> = (0..8).map(item).chain(single).collect();
        let raw = pages.iter().enumerate().map(|(at, html)| RawPage {
            url: format!("http://a.test/{at:02}"),
            bytes: html.clone().into_bytes(),
            ..RawPage::default()
        });
        let site = Site::parse(raw.collect(), &Limits::default());
        let members = [(0..8).collect(), vec![8, 9, 10]];
        assert_eq!(leaving(&site, &ClassMap::default(), &members), [[9], [10]]);
        assert!(leaving(&site, &ClassMap::default(), &[(0..8).collect()]).is_empty());
    }
}
