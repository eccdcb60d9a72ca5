//! Where the tables of a diagram stand: in layers, each table right of those it refers to.
//!
//! # What it does
//! Keys that would close a circle are set aside; every table then stands one layer behind the last of the tables it
//! refers to, and inside the layers the tables are put near the middle of their neighbours, back and forth.
//! # Assumes
//! A few hundred tables at most; the sweeps cost tables times keys.
//! # When it fails
//! Lines may cross: finding the fewest crossings is hard, and this only improves an order.
//! # Paper
//! Sugiyama, Tagawa, Toda 1981, with the barycentre heuristic.

use super::Diagram;

/// Sweeps over the layers. More hardly move anything.
const SWEEPS: usize = 6;

/// The tables by layer, in their order.
pub(super) fn layers(diagram: &Diagram) -> Vec<Vec<usize>> {
    let depth = depths(diagram);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    for (entity, &layer) in depth.iter().enumerate() {
        layers[layer].push(entity);
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); depth.len()];
    for link in diagram.links.iter().filter(|link| link.from != link.to) {
        neighbours[link.from].push(link.to);
        neighbours[link.to].push(link.from);
    }
    let mut place = vec![0.0; depth.len()];
    let number = |layer: &[usize], place: &mut Vec<f64>| {
        for (at, &entity) in layer.iter().enumerate() {
            place[entity] = (at as f64 + 0.5) / layer.len() as f64;
        }
    };
    layers.iter().for_each(|layer| number(layer, &mut place));
    for sweep in 0..SWEEPS {
        for step in 0..layers.len() {
            let at = if sweep % 2 == 0 { step } else { layers.len() - 1 - step };
            let middle = |entity: usize| match neighbours[entity].len() {
                0 => place[entity],
                count => neighbours[entity].iter().map(|&other| place[other]).sum::<f64>() / count as f64,
            };
            layers[at].sort_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
            number(&layers[at], &mut place);
        }
    }
    layers
}

/// The layer of each table: the longest way over keys that do not close a circle.
fn depths(diagram: &Diagram) -> Vec<usize> {
    let count = diagram.entities.len();
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); count];
    for link in diagram.links.iter().filter(|link| link.from != link.to) {
        targets[link.from].push(link.to);
    }
    let mut depth = vec![0; count];
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    for start in 0..count {
        let mut stack = vec![(start, 0)];
        while let Some(&(entity, next)) = stack.last() {
            if next == 0 {
                if seen[entity] {
                    stack.pop();
                    continue;
                }
                (seen[entity], open[entity]) = (true, true);
            }
            let Some(&target) = targets[entity].get(next) else {
                open[entity] = false;
                stack.pop();
                continue;
            };
            if open[target] {
                // It would close a circle.
                advance(&mut stack);
            } else if seen[target] {
                depth[entity] = depth[entity].max(depth[target] + 1);
                advance(&mut stack);
            } else {
                stack.push((target, 0));
            }
        }
    }
    depth
}

fn advance(stack: &mut [(usize, usize)]) {
    if let Some(top) = stack.last_mut() {
        top.1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::bookshop;
    use super::super::{Entity, Link};
    use super::*;

    #[test]
    fn a_table_stands_behind_those_it_refers_to() {
        assert_eq!(layers(&bookshop()), [vec![0, 3], vec![1], vec![2]]);
        assert_eq!(layers(&Diagram::default()), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn circles_end() {
        let entity = |name: &str| Entity { name: name.into(), ..Entity::default() };
        let link = |from, to| Link { from, to, key: "k".into(), many: false };
        let diagram = Diagram {
            entities: ["a", "b", "c"].map(entity).into(),
            links: vec![link(0, 1), link(1, 2), link(2, 0)],
        };
        let mut all: Vec<usize> = layers(&diagram).concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }
}
