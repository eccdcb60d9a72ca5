//! Labels without a colon inside their text: `Exposure 1/250`, `Focal length 50 mm`.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{View, leading_words};

use super::labels::Count;
use super::siblings::{Member, by_parent};

/// Lines are shorter than this; longer texts are sentences, and their first words say nothing.
const LINE: usize = 80;

/// A name-value list has at least this many names, in this share of the parents: titles of which half begin with `The` and
/// half with `A` stand one under each.
const NAMES: usize = 2;
const TOGETHER: f64 = 0.5;

/// At least this share of the lines have a label: otherwise the words are common beginnings of values.
const PURE: f64 = 0.6;

/// More words belong to a label while at least this share of its lines have them.
const SAME_LINES: f64 = 0.9;

#[derive(Default)]
struct Opening {
    count: Count,
    lines: usize,
    rest: Option<u64>,
    varies: bool,
}

/// The words, with the space behind them, that open the lines of a name-value list. `enough` parents must show a label,
/// and `labelled` says which lines have one of another kind.
pub(super) fn find(
    views: &[View],
    group: &[Member],
    enough: f64,
    labelled: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut openings: FxHashMap<&str, Opening> = FxHashMap::default();
    let mut lines: Vec<&str> = Vec::new();
    let mut others = 0usize;
    for member in group {
        let view = &views[member.page as usize];
        let text = match &view.texts[view.texts_in(member.node)] {
            [text] if text.value.len() <= LINE => text,
            _ => {
                others += 1;
                continue;
            }
        };
        lines.push(&text.value);
        for words in leading_words(&text.value) {
            let opening = openings.entry(words).or_default();
            opening.count.see(member.parent);
            opening.lines += 1;
            opening.varies |= opening.rest.is_some_and(|rest| rest != text.hash());
            opening.rest = Some(text.hash());
        }
    }
    openings.retain(|_, opening| {
        opening.count.parents as f64 >= enough && opening.count.is_single() && opening.varies
    });
    let chosen: FxHashSet<&str> = lines
        .iter()
        .filter_map(|line| leading_words(line).reduce(|short, long| longer(&openings, short, long)))
        .filter(|words| openings.contains_key(words))
        .collect();
    let named = |line: &&&str| labelled(line) || leading_words(line).any(|words| chosen.contains(words));
    let pure = lines.iter().filter(named).count() as f64 >= PURE * (lines.len() + others) as f64;
    if !pure || !stand_together(views, group, &chosen) {
        return Vec::new();
    }
    let mut chosen: Vec<String> = chosen.into_iter().map(str::to_owned).collect();
    chosen.sort_unstable();
    chosen
}

/// Do most parents that show any of the names show several?
fn stand_together(views: &[View], group: &[Member], names: &FxHashSet<&str>) -> bool {
    let (mut some, mut several) = (0usize, 0usize);
    for range in by_parent(group) {
        let opening = |member: &Member| {
            let view = &views[member.page as usize];
            let text = view.texts[view.texts_in(member.node)].first()?;
            leading_words(&text.value).find_map(|words| names.get(words).copied())
        };
        let shown: FxHashSet<&str> = group[range].iter().filter_map(opening).collect();
        some += usize::from(!shown.is_empty());
        several += usize::from(shown.len() >= NAMES);
    }
    some > 0 && several as f64 >= TOGETHER * some as f64
}

/// The longer words if nearly all lines with the shorter ones have them.
fn longer<'t>(openings: &FxHashMap<&str, Opening>, short: &'t str, long: &'t str) -> &'t str {
    match (openings.get(short), openings.get(long)) {
        (Some(less), Some(more)) if (more.lines as f64) < SAME_LINES * less.lines as f64 => short,
        (_, Some(_)) => long,
        _ => short,
    }
}
