//! Are siblings exchangeable? Of a list, the third row says nothing that the fifth does not; of cells, facts and layout,
//! what stands third on one page is like what stands third on the next, and unlike its neighbours.
//!
//! # What it does
//! Everything that can be seen of a sibling (what is inside it, what it is called, what its first and last texts are and look
//! like) is written down twice: with one account of all siblings, and with one account for each place. Shared accounts
//! are shorter where places say nothing, because everything is learned once; accounts of their own are shorter where
//! they do. The shorter code wins.
//!
//! # Assumes
//! Places are the same under nearly all parents; whoever asks has looked at that.
//!
//! # Paper
//! None; the codes are the enumerative ones of Cover (1973), which have no parameter to choose.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{View, raw_names, shape};
use xxhash_rust::xxh3::xxh3_64;

use super::patterns::{Pattern, pattern};
use super::siblings::Member;

/// What a letter of a value that was not seen before costs: text compresses to about two bits a letter.
const BITS_A_LETTER: f64 = 2.0;

/// Letters of a text that are paid for: what is longer is not told better by more letters.
const MOST_LETTERS: usize = 40;

/// A look is one of some dozen, a set of names one of some hundred that the page has anyway.
const BITS_A_LOOK: f64 = 5.0;
const BITS_A_NAME: f64 = 8.0;

/// How many bits shorter siblings are told by place than as rows of one list; negative where they are rows. `parents` are
/// the ranges of the group that share a parent.
pub(super) fn told_by_place(views: &[View], group: &[Member], parents: &[Range<usize>]) -> f64 {
    let seen: Vec<Seen> = group.iter().map(|member| Seen::of(&views[member.page as usize], member)).collect();
    let mut place_of = vec![0usize; group.len()];
    for range in parents {
        for (place, at) in range.clone().enumerate() {
            place_of[at] = place;
        }
    }
    let places = place_of.iter().max().map_or(0, |last| last + 1);
    let factorials = LogFactorials::up_to(group.len() + 1);
    let everywhere = Accounts::of(&seen, |_| 0, 1).bits(&factorials);
    everywhere - Accounts::of(&seen, |at| place_of[at], places).bits(&factorials)
}

/// Do texts that recur stand in different places? Among rows, what comes again comes anywhere; a field keeps its place.
pub(super) fn wander(views: &[View], group: &[Member], parents: &[Range<usize>]) -> bool {
    // For each text the place where it was first seen, how often it came again, and how often elsewhere.
    let mut texts: FxHashMap<u64, (usize, usize, usize)> = FxHashMap::default();
    for range in parents {
        for (place, member) in group[range.clone()].iter().enumerate() {
            let view = &views[member.page as usize];
            let Some(text) = view.texts[view.texts_in(member.node)].first() else { continue };
            match texts.entry(text.hash()) {
                Entry::Vacant(new) => {
                    new.insert((place, 0, 0));
                }
                Entry::Occupied(mut known) => {
                    let (first, again, elsewhere) = known.get_mut();
                    *again += 1;
                    *elsewhere += usize::from(*first != place);
                }
            }
        }
    }
    let again: usize = texts.values().map(|text| text.1).sum();
    let elsewhere: usize = texts.values().map(|text| text.2).sum();
    // By chance alone, a text comes again in its own place once in as many times as there are places.
    let places = parents.iter().map(Range::len).max().unwrap_or(1);
    2 * elsewhere * places > again * (places - 1)
}

/// Pairs that stand as the common order says more often than halfway from chance (one half) to always are in order.
const ORDERED: f64 = 0.75;

/// Pairs that are compared: fewer may agree by chance.
const COMPARED: usize = 8;

/// Names of one parent that are compared pairwise; lists of facts hardly have more.
const MOST_NAMES: usize = 64;

/// Do things stand one way round under one parent and the other way round under another? Things of one parent are in order.
/// Names of facts keep to one order on all pages, whichever of them a page has; first words of values do not, even where
/// each pair of them does (`A B`, `B C`, `C A`).
pub(super) fn are_shuffled(named: &[Vec<&str>]) -> bool {
    let orders = Orders::of(named);
    let (ordered, compared) =
        orders.kept.values().fold((0.0, 0.0), |all, kept| (all.0 + kept.0, all.1 + kept.1));
    // Each pair was counted for both of its names.
    compared >= 2.0 * COMPARED as f64 && ordered < ORDERED * compared
}

/// The things that stand now before and now behind their neighbours: whoever shuffles them changes nothing.
pub(super) fn shuffled<'s>(named: &[Vec<&'s str>]) -> FxHashSet<&'s str> {
    let orders = Orders::of(named);
    let moves = |&(_, kept): &(&&str, &(f64, f64))| kept.1 >= COMPARED as f64 && kept.0 < ORDERED * kept.1;
    orders.kept.iter().filter(moves).map(|(name, _)| *name).collect()
}

/// How well things keep to the order that is common to all parents.
struct Orders<'s> {
    /// For each name, with how many others it stands as in the common order, and with how many it was compared.
    kept: FxHashMap<&'s str, (f64, f64)>,
}

impl<'s> Orders<'s> {
    fn of(named: &[Vec<&'s str>]) -> Self {
        // For each two names in alphabetical order: how often they stand so, and how often the other way round.
        let mut pairs: FxHashMap<(&str, &str), (usize, usize)> = FxHashMap::default();
        for names in named {
            let names = &names[..names.len().min(MOST_NAMES)];
            for (at, first) in names.iter().enumerate() {
                for second in &names[at + 1..] {
                    match first.cmp(second) {
                        Ordering::Less => pairs.entry((first, second)).or_default().0 += 1,
                        Ordering::Greater => pairs.entry((second, first)).or_default().1 += 1,
                        Ordering::Equal => {}
                    }
                }
            }
        }
        // By how much more often each stands before another than behind it: their common order.
        let mut before: FxHashMap<&str, (isize, usize)> = FxHashMap::default();
        for (&(one, other), &(so, otherwise)) in &pairs {
            for (name, more) in
                [(one, so as isize - otherwise as isize), (other, otherwise as isize - so as isize)]
            {
                let stands = before.entry(name).or_default();
                *stands = (stands.0 + more, stands.1 + so + otherwise);
            }
        }
        let place = |name: &str| {
            let (more, all) = before[name];
            more as f64 / all as f64
        };
        let mut kept: FxHashMap<&str, (f64, f64)> = FxHashMap::default();
        for (&(one, other), &(so, otherwise)) in &pairs {
            // Halves are exact, so that sums do not depend on the order of a map.
            let ordered = match place(one).total_cmp(&place(other)) {
                Ordering::Greater => so as f64,
                Ordering::Less => otherwise as f64,
                Ordering::Equal => (so + otherwise) as f64 / 2.0,
            };
            for name in [one, other] {
                let own = kept.entry(name).or_default();
                *own = (own.0 + ordered, own.1 + (so + otherwise) as f64);
            }
        }
        Orders { kept }
    }
}

/// What can be seen of a sibling.
struct Seen<'v> {
    inside: Vec<u64>,
    called: u64,
    /// The first text and the last, digits folded, with their looks.
    texts: [Option<(&'v str, u64, Pattern)>; 2],
}

impl<'v> Seen<'v> {
    fn of(view: &'v View<'_>, member: &Member) -> Self {
        let texts = &view.texts[view.texts_in(member.node)];
        let told = |at: usize| {
            let text: &str = &texts.get(at)?.value;
            Some((text, folded(text), pattern(text)))
        };
        let names: Vec<String> = raw_names(view.tree, member.node).collect();
        Seen {
            inside: shape(view, member.node),
            called: xxh3_64(names.join(" ").as_bytes()),
            texts: [told(0), (texts.len() > 1).then(|| told(texts.len() - 1)).flatten()],
        }
    }
}

/// A text without the values of its digits: the number of a row is no text of its own.
fn folded(text: &str) -> u64 {
    let digits_alike: String = text.chars().map(|c| if c.is_numeric() { '0' } else { c }).collect();
    xxh3_64(digits_alike.as_bytes())
}

/// What is written down about the siblings of each place.
struct Accounts {
    /// How many siblings a place has.
    siblings: Vec<usize>,
    inside: Vec<FxHashMap<u64, usize>>,
    /// Everything that is inside some siblings and not inside others.
    varying: Vec<u64>,
    called: Vec<FxHashMap<u64, usize>>,
    texts: [Vec<FxHashMap<u64, (usize, usize)>>; 2],
    looks: [Vec<FxHashMap<Option<Pattern>, usize>>; 2],
}

impl Accounts {
    fn of(seen: &[Seen<'_>], place_of: impl Fn(usize) -> usize, places: usize) -> Self {
        let maps = || vec![FxHashMap::default(); places];
        let mut accounts = Accounts {
            siblings: vec![0; places],
            inside: maps(),
            varying: Vec::new(),
            called: vec![FxHashMap::default(); places],
            texts: [vec![FxHashMap::default(); places], vec![FxHashMap::default(); places]],
            looks: [vec![FxHashMap::default(); places], vec![FxHashMap::default(); places]],
        };
        let mut all: FxHashMap<u64, usize> = FxHashMap::default();
        for (at, seen_here) in seen.iter().enumerate() {
            let place = place_of(at);
            accounts.siblings[place] += 1;
            for &feature in &seen_here.inside {
                *accounts.inside[place].entry(feature).or_default() += 1;
                *all.entry(feature).or_default() += 1;
            }
            *accounts.called[place].entry(seen_here.called).or_default() += 1;
            for which in 0..2 {
                let text = seen_here.texts[which];
                *accounts.looks[which][place].entry(text.map(|text| text.2)).or_default() += 1;
                if let Some((text, folded, _)) = text {
                    let letters = text.chars().take(MOST_LETTERS).count();
                    accounts.texts[which][place].entry(folded).or_insert((0, letters)).0 += 1;
                }
            }
        }
        accounts.varying =
            all.into_iter().filter(|(_, count)| *count < seen.len()).map(|(feature, _)| feature).collect();
        accounts.varying.sort_unstable();
        accounts
    }

    fn bits(&self, factorials: &LogFactorials) -> f64 {
        let mut bits = 0.0;
        for (place, &siblings) in self.siblings.iter().enumerate() {
            for feature in &self.varying {
                bits += factorials.of_marks(siblings, self.inside[place].get(feature).copied().unwrap_or(0));
            }
            bits += factorials.of_symbols(&counts(&self.called[place]), BITS_A_NAME);
            for which in 0..2 {
                bits += factorials.of_symbols(&counts(&self.looks[which][place]), BITS_A_LOOK);
                let mut texts: Vec<(usize, usize)> = self.texts[which][place].values().copied().collect();
                texts.sort_unstable();
                let letters: usize = texts.iter().map(|(_, letters)| letters).sum();
                let times: Vec<usize> = texts.into_iter().map(|(times, _)| times).collect();
                bits += factorials.of_symbols(&times, 0.0) + BITS_A_LETTER * letters as f64;
            }
        }
        bits
    }
}

/// How often each comes, in an order of their own, so that sums are the same each time.
fn counts<K: Hash + Eq>(map: &FxHashMap<K, usize>) -> Vec<usize> {
    let mut counts: Vec<usize> = map.values().copied().collect();
    counts.sort_unstable();
    counts
}

/// Binary logarithms of factorials.
struct LogFactorials(Vec<f64>);

impl LogFactorials {
    fn up_to(most: usize) -> Self {
        let mut sums = vec![0.0; most + 1];
        for at in 2..=most {
            sums[at] = sums[at - 1] + (at as f64).log2();
        }
        LogFactorials(sums)
    }

    /// Ways to choose some of many.
    fn choose(&self, all: usize, some: usize) -> f64 {
        self.0[all] - self.0[some] - self.0[all - some]
    }

    /// Says which of the siblings have something: how many, then which.
    fn of_marks(&self, siblings: usize, with: usize) -> f64 {
        (siblings as f64 + 1.0).log2() + self.choose(siblings, with)
    }

    /// Says a sequence of symbols, each of which has to be spelled when it comes first: how often each comes, then where.
    fn of_symbols(&self, times: &[usize], spelled: f64) -> f64 {
        let (all, distinct): (usize, usize) = (times.iter().sum(), times.len());
        if distinct == 0 {
            return 0.0;
        }
        let where_each: f64 = self.0[all] - times.iter().map(|&times| self.0[times]).sum::<f64>();
        self.choose(all - 1, distinct - 1) + where_each - self.0[distinct]
            + (all as f64 + 1.0).log2()
            + spelled * distinct as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::siblings::by_parent;
    use unsite_dom::{Limits, NodeId, Tree};
    use unsite_wrapper::ClassMap;

    /// By how much the items of these lists are told shorter by place.
    fn by_place(lists: &[Vec<String>]) -> f64 {
        let parse = |items: &Vec<String>| {
            let html: String = items.iter().map(|item| format!("<li>{item}</li>")).collect();
            Tree::parse(format!("<ul>{html}</ul>").as_bytes(), None, &Limits::default()).0
        };
        let trees: Vec<Tree> = lists.iter().map(parse).collect();
        let classes = ClassMap::default();
        let views: Vec<View> = trees.iter().map(|tree| View::new(tree, &classes)).collect();
        let mut group = Vec::new();
        for (page, tree) in (0u32..).zip(&trees) {
            let items: Vec<NodeId> = tree.elements("li").collect();
            let member = |(position, node)| Member { parent: page, page, position, node };
            group.extend((0u32..).zip(items).map(member));
        }
        told_by_place(&views, &group, &by_parent(&group))
    }

    #[test]
    fn rows_that_could_stand_anywhere_are_a_list() {
        let item = |n: usize| {
            format!("<a href=/p/{n}>Thing {}</a>{}", n, if n.is_multiple_of(3) { "<i>new</i>" } else { "" })
        };
        let lists: Vec<Vec<String>> =
            (0..10).map(|page| (0..4).map(|at| item((page * 7 + at * 5) % 23)).collect()).collect();
        assert!(by_place(&lists) < 0.0);
    }

    #[test]
    fn cells_that_keep_to_their_places_are_none() {
        let lists: Vec<Vec<String>> = (0..10)
            .map(|n| vec![format!("{n} votes"), format!("<b>{n}</b>"), format!("seen {n} times")])
            .collect();
        assert!(by_place(&lists) > 0.0);
    }

    #[test]
    fn what_is_sorted_now_so_and_now_otherwise_is_shuffled_and_headings_are_not() {
        let people = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"];
        // Up and down the alphabet, from each of them on.
        let page = |(step, from): (usize, usize)| {
            let mut names = vec!["Top", "Results"];
            names.extend((0..6).map(|n| people[(n * step + from) % 6]));
            names.push("Footer");
            names
        };
        let pages: Vec<Vec<&str>> = (0..6).flat_map(|from| [(1, from), (5, from)]).map(page).collect();
        let mut moved: Vec<&str> = shuffled(&pages).into_iter().collect();
        moved.sort_unstable();
        assert_eq!(moved, people);
    }

    #[test]
    fn names_of_facts_keep_their_order_and_words_of_values_do_not() {
        let facts = vec![vec!["Size", "Weight", "Colour"]; 8];
        assert!(!are_shuffled(&facts));
        let words: Vec<Vec<&str>> = (0..8)
            .map(|at| if at % 2 == 0 { vec!["Red", "Blue", "Old"] } else { vec!["Old", "Blue", "Red"] })
            .collect();
        assert!(are_shuffled(&words));
        let kinds = ["Red", "Blue", "Old", "New", "Big"];
        let in_turns: Vec<Vec<&str>> = (0..10).map(|at| vec![kinds[at % 5], kinds[(at + 1) % 5]]).collect();
        assert!(are_shuffled(&in_turns));
    }
}
