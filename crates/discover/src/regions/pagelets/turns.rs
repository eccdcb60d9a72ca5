//! Items that consist of several siblings of one tag: rows with a title, rows with what is said about it, in turns.

use rustc_hash::FxHashSet;
use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64;

use super::page::Page;

/// Siblings look the same when they share this part of what stands in them.
const SAME_LOOK: f64 = 0.5;

/// Looks that take turns are about equally frequent, and follow each other in this share of the places.
const IN_TURN: f64 = 0.9;

/// More looks in one item were seen nowhere.
const MOST_LOOKS: usize = 4;

/// Looks that are told apart; pages that have more are no lists.
const MOST_KINDS: usize = 32;

/// Names of every second row: those are alike whatever they are called.
const STRIPES: [&str; 6] = ["odd", "even", "alt", "alternate", "striped", "stripe"];

/// What stands in a sibling: tags with a class, two steps deep, and its own class; sorted hashes.
type Look = Vec<u64>;

/// The looks of one item's parts, in order: the first begins an item.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Turns(Vec<Look>);

impl Turns {
    /// Finds out whether children of one tag take turns; `None` where each is an item by itself.
    ///
    /// # What it does
    /// Groups the children by look; of the groups that are about as large as the largest one, looks whether they follow each
    /// other in a fixed order nearly everywhere.
    /// # Assumes
    /// Every item has all its parts.
    /// # When it fails
    /// Parts that many items do not have; items of two kinds that happen to alternate.
    /// # Paper
    /// THOR asks for "runs of children" and leaves open how to find them.
    pub(super) fn learn(pagelets: &[(&Page<'_>, NodeId)], tag: &str) -> Option<Self> {
        let mut looks: Vec<(Look, usize)> = Vec::new();
        let mut sequences: Vec<Vec<usize>> = Vec::new();
        for (page, node) in pagelets {
            let children = page.content_children(*node).filter(|&child| page.tree.name(child) == tag);
            let mut sequence = Vec::new();
            for child in children {
                let look = look(page.tree, child);
                let known = looks.iter().position(|(known, _)| alike(known, &look) >= SAME_LOOK);
                let at = known.unwrap_or(looks.len());
                if known.is_none() && looks.len() < MOST_KINDS {
                    looks.push((look, 0));
                }
                if let Some((_, count)) = looks.get_mut(at) {
                    *count += 1;
                    sequence.push(at);
                }
            }
            sequences.push(sequence);
        }
        let most = looks.iter().map(|(_, count)| *count).max()?;
        let frequent: FxHashSet<usize> =
            (0..looks.len()).filter(|&at| looks[at].1 as f64 >= IN_TURN * most as f64).collect();
        if !(2..=MOST_LOOKS).contains(&frequent.len()) || most < 2 {
            return None;
        }
        sequences.iter_mut().for_each(|sequence| sequence.retain(|at| frequent.contains(at)));
        let longest = sequences.iter().max_by_key(|sequence| sequence.len())?;
        let mut order: Vec<usize> = Vec::new();
        for at in longest {
            if !order.contains(at) {
                order.push(*at);
            }
        }
        let place = |at: usize| order.iter().position(|known| *known == at).unwrap_or(0);
        let steps = || sequences.iter().flat_map(|sequence| sequence.windows(2));
        let in_turn = steps().filter(|pair| place(pair[1]) == (place(pair[0]) + 1) % order.len()).count();
        let is_cycle = order.len() == frequent.len() && in_turn as f64 >= IN_TURN * steps().count() as f64;
        is_cycle.then(|| Turns(order.into_iter().map(|at| looks[at].0.clone()).collect()))
    }

    /// Whether a sibling begins an item: it looks most like the first part.
    pub(super) fn begins(&self, tree: &Tree, node: NodeId) -> bool {
        let look = look(tree, node);
        let alike: Vec<f64> = self.0.iter().map(|part| alike(part, &look)).collect();
        alike.iter().skip(1).all(|other| *other <= alike[0])
    }
}

fn look(tree: &Tree, node: NodeId) -> Look {
    let elements = |node: NodeId| tree.children(node).filter(|&child| tree.is_element(child));
    let mut look = Look::new();
    look.extend(class(tree, node).map(|name| xxh3_64(name.as_bytes())));
    for child in elements(node) {
        let named = |node: NodeId| format!("{}.{}", tree.name(node), class(tree, node).unwrap_or_default());
        look.push(xxh3_64(named(child).as_bytes()));
        look.extend(elements(child).map(|inner| xxh3_64(format!("/{}", named(inner)).as_bytes())));
    }
    look.sort_unstable();
    look.dedup();
    look
}

/// The first class that is no number and no stripe.
fn class(tree: &Tree, node: NodeId) -> Option<&str> {
    let is_name = |name: &&str| !name.bytes().any(|b| b.is_ascii_digit()) && !STRIPES.contains(name);
    tree.attr(node, "class")?.split_whitespace().find(is_name)
}

/// What two looks share; 1 for two of which there is nothing to say.
fn alike(a: &Look, b: &Look) -> f64 {
    let both = a.iter().filter(|step| b.binary_search(step).is_ok()).count();
    let all = a.len() + b.len() - both;
    if all == 0 { 1.0 } else { both as f64 / all as f64 }
}
