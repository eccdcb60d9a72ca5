//! Records that span several siblings: a heading row and a body row, a term and its descriptions.

use super::grow::Grown;

/// A continuation comes after an opening sibling in nearly all cases.
const AFTER: f64 = 0.9;

/// At least this share of the opened rows have the continuation: otherwise it merely follows the list.
const IN_ROWS: f64 = 0.5;

/// Marks the lists below one step that go on with the rows of another list beside them. `sequences` are the steps
/// of the matched children of each instance, in order.
pub(crate) fn mark(sequences: &[Vec<usize>], grown: &mut Grown) {
    let mut lists: Vec<usize> =
        sequences.iter().flatten().copied().filter(|&step| grown.lists[step]).collect();
    lists.sort_unstable();
    lists.dedup();
    if lists.len() < 2 || lists.len() > MOST_LISTS {
        return;
    }
    // The list whose rows the others fill best opens them; of equals, the one that comes first.
    let mut ranked: Vec<(f64, usize, usize)> = Vec::new();
    for &opener in &lists {
        let filled: f64 = lists
            .iter()
            .filter(|other| **other != opener)
            .map(|&other| share(sequences, opener, other).powi(EXACTLY) * frames(sequences, opener, other))
            .sum();
        let first = sequences
            .iter()
            .filter(|sequence| sequence.iter().find(|step| grown.lists[**step]) == Some(&opener));
        ranked.push((filled, first.count(), opener));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    let lists: Vec<usize> = ranked.into_iter().map(|(_, _, step)| step).collect();
    for at in 0..lists.len() {
        let opener = lists[at];
        if grown.opened_by[opener].is_some() {
            continue;
        }
        for &other in &lists[at + 1..] {
            if grown.opened_by[other].is_none() && share(sequences, opener, other) >= IN_ROWS {
                grown.opened_by[other] = Some(opener);
                grown.comes_again[other] = comes_again(sequences, opener, other);
            }
        }
    }
}

/// Openers are ranked by how exactly the others fill their rows: a list that is off by one at the start or the end of
/// every page fills five rows of six.
const EXACTLY: i32 = 4;

/// What stands more often than this in the rows that have it is a list behind a heading, not a part of a record.
const MOST_IN_A_ROW: usize = 3;

/// Lists beside each other that are compared pairwise.
const MOST_LISTS: usize = 12;

/// Rows in which a part stands more than once, of those that have it: below, it is an accident.
const OFTEN_AGAIN: f64 = 0.05;

/// Whether the other list stands several times in some of the opener's rows.
fn comes_again(sequences: &[Vec<usize>], opener: usize, other: usize) -> bool {
    let (mut with, mut again) = (0usize, 0usize);
    for sequence in sequences {
        for row in sequence.split(|&step| step == opener) {
            let times = row.iter().filter(|&&step| step == other).count();
            with += usize::from(times > 0);
            again += usize::from(times > 1);
        }
    }
    again as f64 > OFTEN_AGAIN * with as f64
}

/// How surely the opener comes first and the other last, from 0 to 1: in long lists this tells more than the one row that
/// is left over when it is the other way round.
fn frames(sequences: &[Vec<usize>], opener: usize, other: usize) -> f64 {
    let (mut both, mut difference) = (0usize, 0isize);
    for sequence in sequences {
        let of_the_two = |step: &&usize| **step == opener || **step == other;
        let first = sequence.iter().find(of_the_two);
        let last = sequence.iter().rev().find(of_the_two);
        if sequence.contains(&opener) && sequence.contains(&other) {
            both += 1;
            difference += isize::from(first == Some(&opener)) - isize::from(last == Some(&opener));
        }
    }
    if both == 0 { 0.0 } else { 0.5 + 0.5 * difference as f64 / both as f64 }
}

/// The share of the opener's rows that the other list stands in; 0 when it also stands outside them.
fn share(sequences: &[Vec<usize>], opener: usize, other: usize) -> f64 {
    let (mut after, mut others, mut rows, mut rows_with) = (0usize, 0usize, 0usize, 0usize);
    for sequence in sequences {
        // In a row, and whether the other has been seen in it.
        let mut open = None;
        for &step in sequence {
            if step == opener {
                rows += 1;
                open = Some(false);
            } else if step == other {
                others += 1;
                after += usize::from(open.is_some());
                rows_with += usize::from(open == Some(false));
                open = open.map(|_| true);
            }
        }
    }
    if others == 0 || rows < 2 || (after as f64) < AFTER * others as f64 || others > MOST_IN_A_ROW * rows_with
    {
        0.0
    } else {
        rows_with as f64 / rows as f64
    }
}
