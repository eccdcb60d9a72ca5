//! Shapes: of a text, and of the place where it stands.

use unsite_dom::{NodeId, Tree};

use unsite_discover::experts::{hash, mix};

/// Tokens of a text's shape that are compared.
const TOKENS: usize = 60;

/// Siblings of one kind that make a list.
const LIST: usize = 3;

/// The shape of a text: `A` for a run of capitals, `a` of other letters, `0` of digits, a blank of white space; every
/// other character is itself.
pub(crate) fn pattern(text: &str) -> Vec<char> {
    let mut tokens: Vec<char> = Vec::new();
    for c in text.chars() {
        let token = match c {
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '0',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        let is_run = c.is_alphanumeric() || c.is_whitespace();
        if !(is_run && tokens.last() == Some(&token)) {
            tokens.push(token);
        }
        if tokens.len() == TOKENS {
            break;
        }
    }
    tokens
}

/// For each element whether it is one of several siblings of the same kind: tag and class.
pub(crate) fn rows(tree: &Tree) -> Vec<bool> {
    let kind = |node: NodeId| hash(&[tree.name(node), tree.attr(node, "class").unwrap_or_default()]);
    let mut is_row = vec![false; tree.len()];
    for node in tree.nodes() {
        let mut children: Vec<(u64, NodeId)> = tree
            .children(node)
            .filter(|&child| tree.is_element(child))
            .map(|child| (kind(child), child))
            .collect();
        children.sort_unstable_by_key(|&(kind, child)| (kind, child.index()));
        for run in children.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() >= LIST) {
            run.iter().for_each(|(_, child)| is_row[child.index()] = true);
        }
    }
    is_row
}

/// The way from the document to a node: kind and place of each element, without the place for rows of lists.
pub(crate) fn steps(tree: &Tree, node: NodeId, places: &[u32], is_row: &[bool]) -> Vec<u64> {
    let step = |at: NodeId| {
        let place = if is_row[at.index()] { 0 } else { u64::from(places[at.index()]) + 1 };
        mix(hash(&[tree.name(at)]), place)
    };
    let mut steps: Vec<u64> = std::iter::once(node).chain(tree.ancestors(node)).map(step).collect();
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_patterns() {
        let shape = |text: &str| pattern(text).into_iter().collect::<String>();
        assert_eq!((shape("12.49").as_str(), shape("109.49").as_str()), ("0.0", "0.0"));
        assert_eq!(shape("Mc Donald's  12"), "Aa Aa'a 0");
    }
}
