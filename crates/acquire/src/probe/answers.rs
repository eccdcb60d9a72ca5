//! Which kind of answer a page is.
//!
//! # What it does
//! Answers to nonsense words show what the site says when nothing matches. Whatever an answer has beyond that is new.
//! New texts that repeat as siblings are a list, and the place where the longest lists stand is where results stand, so
//! that a list of one is counted there too. Texts that all answers to nonsense have and clear lists lack are the site's way
//! to say that nothing was found; they outweigh anything new (suggestions, advertisements).
//! # Assumes
//! Some of the words match something and nonsense does not; the word itself may be echoed anywhere.
//! # When it fails
//! Sites that show everything to everybody, or random things where nothing matches, at the very place of results.
//! # Paper
//! Caverlee, Liu, Buttler (THOR, 2004) for nonsense words and answer classes; telling them apart is ours.

use std::collections::{BTreeMap, BTreeSet};

use unsite_dom::{NodeId, Tree};

use super::reading::{Leaf, groups, leaves};

/// A group of siblings must hold this share of an answer's new texts to be its results.
const RESULT_SHARE: f64 = 0.5;

/// An answer with this many siblings of new texts is a clear list.
const CLEAR_LIST: usize = 3;

/// Siblings that come in groups of one size, in this share of the groups on answers with several of them, are the parts
/// of results: the cells of rows.
const PART_SHARE: f64 = 0.8;

/// The kinds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerClass {
    /// A list of several results.
    Several,
    /// One result, in a list or as a page of its own.
    One,
    /// The site says that nothing was found.
    NoMatch,
    /// The site could not answer.
    Error,
}

impl AnswerClass {
    /// All of them.
    pub const ALL: [AnswerClass; 4] =
        [AnswerClass::Several, AnswerClass::One, AnswerClass::NoMatch, AnswerClass::Error];

    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            AnswerClass::Several => "several",
            AnswerClass::One => "one",
            AnswerClass::NoMatch => "no match",
            AnswerClass::Error => "error",
        }
    }
}

/// What is kept of an answer.
#[derive(Debug)]
pub(super) struct Answer {
    failed: bool,
    nonsense: bool,
    /// Each text by its place: with the query masked, and as it stands.
    leaves: BTreeSet<(u64, u64, u64)>,
    /// Both of them, for looking things up.
    said: BTreeSet<(u64, u64)>,
    /// For each place the groups of siblings that stand there.
    siblings: BTreeMap<u64, Vec<Siblings>>,
}

/// Siblings that hold new texts: for each kind how many there are and how many texts they hold.
#[derive(Debug)]
struct Siblings {
    kinds: BTreeMap<Kind, (usize, usize)>,
    /// The share of the answer's new texts that they hold.
    share: f64,
}

/// The names of what elements are made of.
type Kind = BTreeSet<String>;

/// Where results stand, and what they are made of.
#[derive(Debug, Clone)]
struct Place {
    path: u64,
    kind: Kind,
}

impl Place {
    /// Whether something there is made of the like. Fields may be missing, but headings have none of them.
    fn fits(&self, kind: &Kind) -> bool {
        self.kind.is_empty() || !self.kind.is_disjoint(kind)
    }
}

impl Siblings {
    /// How many there are of the kind that holds most texts.
    fn main_count(&self) -> usize {
        self.kinds.values().max_by_key(|(_, texts)| *texts).map_or(0, |(count, _)| *count)
    }
}

impl Answer {
    /// How many results stand at a place.
    fn results(&self, place: Option<&Place>) -> usize {
        let Some(place) = place else { return 0 };
        let groups = self.siblings.get(&place.path).into_iter().flatten();
        let fitting = groups.flat_map(|group| &group.kinds).filter(|(kind, _)| place.fits(kind));
        fitting.map(|(_, (count, _))| count).sum()
    }
}

/// The answers so far, and what they have taught.
#[derive(Debug, Default)]
pub(super) struct Answers {
    all: Vec<Answer>,
    /// What stands on answers to nonsense.
    known: BTreeSet<(u64, u64)>,
    /// Places where answers to nonsense say different things.
    restless: BTreeSet<u64>,
    /// Where results stand.
    results: Option<Place>,
}

impl Answers {
    /// Takes up an answer and says what seems to be its number among the answers.
    pub(super) fn add(&mut self, tree: &Tree, word: &str, nonsense: bool, failed: bool) -> usize {
        let leaves = leaves(tree, word);
        let new: Vec<NodeId> = self.new_leaves(&leaves).map(|leaf| leaf.node).collect();
        let mut siblings: BTreeMap<u64, Vec<Siblings>> = BTreeMap::new();
        for group in groups(tree, &new) {
            let mut kinds: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
            let mut texts = 0;
            for member in group.members {
                let entry = kinds.entry(member.kind).or_default();
                *entry = (entry.0 + 1, entry.1 + member.texts);
                texts += member.texts;
            }
            let share = texts as f64 / new.len().max(1) as f64;
            siblings.entry(group.path).or_default().push(Siblings { kinds, share });
        }
        let leaves: BTreeSet<_> = leaves.iter().map(|leaf| (leaf.path, leaf.text, leaf.plain)).collect();
        let said = leaves.iter().flat_map(|&(path, text, plain)| [(path, text), (path, plain)]).collect();
        if nonsense {
            self.learn(&said);
        }
        self.all.push(Answer { failed, nonsense, leaves, said, siblings });
        self.find_results();
        self.all.len() - 1
    }

    /// The elements of a page that are results, with what was learned so far.
    pub(super) fn results(&self, tree: &Tree, word: &str) -> Vec<NodeId> {
        let Some(place) = &self.results else { return Vec::new() };
        let leaves = leaves(tree, word);
        let new: Vec<NodeId> = self.new_leaves(&leaves).map(|leaf| leaf.node).collect();
        let there = groups(tree, &new).into_iter().filter(|group| group.path == place.path);
        let fitting = there.flat_map(|group| group.members).filter(|member| place.fits(&member.kind));
        let mut nodes: Vec<NodeId> = fitting.map(|member| member.node).collect();
        nodes.sort_unstable();
        nodes
    }

    /// The class of an answer, with what was learned so far.
    pub(super) fn class(&self, answer: usize) -> AnswerClass {
        self.class_of(&self.all[answer], &self.refusals())
    }

    /// The classes of all answers.
    pub(super) fn classes(&self) -> Vec<AnswerClass> {
        let refusals = self.refusals();
        self.all.iter().map(|answer| self.class_of(answer, &refusals)).collect()
    }

    fn class_of(&self, answer: &Answer, refusals: &BTreeSet<(u64, u64)>) -> AnswerClass {
        let new = answer.leaves.iter().any(|&(path, text, plain)| self.is_new(path, text, plain));
        let says_so = !refusals.is_disjoint(&answer.said);
        if !self.known.is_empty() && (!new || says_so) {
            return AnswerClass::NoMatch;
        }
        if answer.failed || !new {
            return AnswerClass::Error;
        }
        match answer.results(self.results.as_ref()) {
            2.. => AnswerClass::Several,
            _ => AnswerClass::One,
        }
    }

    /// What every answer to nonsense says and no clear list does.
    fn refusals(&self) -> BTreeSet<(u64, u64)> {
        let mut of_nonsense = self.all.iter().filter(|answer| answer.nonsense).map(|answer| &answer.said);
        let Some(first) = of_nonsense.next() else { return BTreeSet::new() };
        let mut all = first.clone();
        for said in of_nonsense {
            all.retain(|leaf| said.contains(leaf));
        }
        let mut lists = self.all.iter().filter(|answer| self.is_clear_list(answer)).peekable();
        if lists.peek().is_none() {
            return BTreeSet::new();
        }
        for list in lists {
            all.retain(|leaf| !list.said.contains(leaf));
        }
        all
    }

    fn is_clear_list(&self, answer: &Answer) -> bool {
        !answer.nonsense && !answer.failed && answer.results(self.results.as_ref()) >= CLEAR_LIST
    }

    /// Results stand where answers have the longest lists of new texts, unless these are parts of something longer.
    fn find_results(&mut self) {
        let answers = || self.all.iter().filter(|answer| !answer.nonsense && !answer.failed);
        let mut longest: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
        let mut sizes: BTreeMap<u64, BTreeMap<usize, usize>> = BTreeMap::new();
        for (&path, groups) in answers().flat_map(|answer| &answer.siblings) {
            for group in groups {
                let count = group.main_count();
                if group.share >= RESULT_SHARE && count >= 2 {
                    let entry = longest.entry(path).or_default();
                    *entry = (entry.0.max(count), entry.1 + 1);
                }
                if groups.len() >= 2 {
                    *sizes.entry(path).or_default().entry(count).or_default() += 1;
                }
            }
        }
        let is_part = |path: u64| {
            sizes.get(&path).is_some_and(|sizes| {
                let (most, all) = (sizes.values().max().copied().unwrap_or(0), sizes.values().sum::<usize>());
                most as f64 >= PART_SHARE * all as f64
            })
        };
        let whole = longest.into_iter().filter(|&(path, _)| !is_part(path));
        let best = whole.max_by_key(|&(path, length)| (length, std::cmp::Reverse(path)));
        let place = best.map(|(path, _)| {
            let mut kinds: BTreeMap<&Kind, usize> = BTreeMap::new();
            let there = answers().filter_map(|answer| answer.siblings.get(&path)).flatten();
            for (kind, (_, texts)) in there.flat_map(|group| &group.kinds) {
                *kinds.entry(kind).or_default() += texts;
            }
            let kind = kinds.into_iter().max_by_key(|(_, texts)| *texts).map(|(kind, _)| kind.clone());
            Place { path, kind: kind.unwrap_or_default() }
        });
        self.results = place;
    }

    fn learn(&mut self, leaves: &BTreeSet<(u64, u64)>) {
        let mut others = self.all.iter().filter(|answer| answer.nonsense);
        let of_place = |leaves: &BTreeSet<(u64, u64)>, path: u64| -> BTreeSet<u64> {
            leaves.range((path, 0)..=(path, u64::MAX)).map(|leaf| leaf.1).collect()
        };
        let mut restless = BTreeSet::new();
        if let Some(other) = others.next_back() {
            let places: BTreeSet<u64> = leaves.iter().map(|leaf| leaf.0).collect();
            let differ = |path: &u64| {
                let there = of_place(&other.said, *path);
                !there.is_empty() && there != of_place(leaves, *path)
            };
            restless.extend(places.into_iter().filter(differ));
        }
        self.restless.extend(restless);
        self.known.extend(leaves.iter().copied());
    }

    fn new_leaves<'a>(&'a self, leaves: &'a [Leaf]) -> impl Iterator<Item = &'a Leaf> {
        leaves.iter().filter(|leaf| self.is_new(leaf.path, leaf.text, leaf.plain))
    }

    fn is_new(&self, path: u64, text: u64, plain: u64) -> bool {
        let known = |text: u64| self.known.contains(&(path, text));
        !self.restless.contains(&path) && !known(text) && !known(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    /// A site with a list of results, adverts that change, an echo and a clock.
    fn page(word: &str, results: &[&str], turn: usize) -> Tree {
        let advert = ["Buy shoes", "Buy hats", "Buy coats"][turn % 3];
        let list: String =
            results.iter().map(|name| format!("<li><a href=/{name}>{name}</a> <i>fine</i></li>")).collect();
        let told = if results.is_empty() {
            format!("<p class=none>Nothing found for {word}. Did you mean {word}s{turn}x?</p>")
        } else {
            format!("<h2>{} found</h2><ul class=hits>{list}</ul>", results.len())
        };
        let html = format!("<nav><a href=/>Home</a></nav>{told}<div class=ad>{advert}</div><p>{turn} ms</p>");
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    fn classes(pages: &[(&str, &[&str])]) -> Vec<AnswerClass> {
        let mut answers = Answers::default();
        for (turn, (word, results)) in pages.iter().enumerate() {
            answers.add(&page(word, results, turn), word, word.starts_with("xq"), false);
        }
        answers.classes()
    }

    #[test]
    fn answers_are_told_apart() {
        use AnswerClass::{NoMatch, One, Several};
        let found = classes(&[
            ("xqa", &[]),
            ("xqb", &[]),
            ("tea", &["Assam", "Darjeeling", "Ceylon", "Keemun"]),
            ("rum", &[]),
            ("green", &["Sencha"]),
            ("black", &["Assam", "Ceylon"]),
            ("xqc", &[]),
        ]);
        assert_eq!(found, [NoMatch, NoMatch, Several, NoMatch, One, Several, NoMatch]);
    }

    #[test]
    fn suggestions_are_no_results_once_the_refusal_is_known() {
        let mut answers = Answers::default();
        let html = |body: &str| Tree::parse(body.as_bytes(), None, &Limits::default()).0;
        for word in ["xqa", "xqb"] {
            answers.add(&html("<p class=none>Nothing was found</p>"), word, true, false);
        }
        let suggestion = answers.add(
            &html("<p class=none>Nothing was found</p><div>Did you mean</div><div>teas</div>"),
            "tee",
            false,
            false,
        );
        answers.add(&html("<ul><li>a<li>b<li>c<li>d</ul>"), "tea", false, false);
        assert_eq!(answers.class(suggestion), AnswerClass::NoMatch);
        assert_eq!(answers.class(3), AnswerClass::Several);
    }

    #[test]
    fn cells_are_not_taken_for_rows() {
        let mut answers = Answers::default();
        let table = |rows: &[&str]| {
            let row = |name: &&str| format!("<tr><td>{name}<td>{name} kind<td>{name} place<td>{name} colour");
            let html = format!("<table><tbody>{}</table>", rows.iter().map(row).collect::<String>());
            Tree::parse(html.as_bytes(), None, &Limits::default()).0
        };
        answers.add(&Tree::parse(b"<p>none", None, &Limits::default()).0, "xqa", true, false);
        for (word, rows) in [("tea", &["a"][..]), ("rum", &["b", "c"]), ("gin", &["d"]), ("ale", &["e", "f"])]
        {
            answers.add(&table(rows), word, false, false);
        }
        use AnswerClass::{NoMatch, One, Several};
        assert_eq!(answers.classes(), [NoMatch, One, Several, One, Several]);
    }

    #[test]
    fn failures_are_errors_unless_nonsense_fails_the_same_way() {
        let mut answers = Answers::default();
        let html = |body: &str| Tree::parse(body.as_bytes(), None, &Limits::default()).0;
        answers.add(&html("<h1>Not found</h1>"), "xqa", true, true);
        answers.add(&html("<h1>Not found</h1>"), "tea", false, true);
        answers.add(&html("<h1>Internal server error</h1>"), "rum", false, true);
        assert_eq!(answers.classes(), [AnswerClass::NoMatch, AnswerClass::NoMatch, AnswerClass::Error]);
    }

    #[test]
    fn results_are_found_on_the_page() {
        let mut answers = Answers::default();
        answers.add(&page("xqa", &[], 0), "xqa", true, false);
        let tree = page("tea", &["Assam", "Ceylon", "Keemun"], 1);
        answers.add(&tree, "tea", false, false);
        let names: Vec<String> =
            answers.results(&tree, "tea").iter().map(|&node| tree.visible_text(node)).collect();
        assert_eq!(names, ["Assam fine", "Ceylon fine", "Keemun fine"]);
    }
}
