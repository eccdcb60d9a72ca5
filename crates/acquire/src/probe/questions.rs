//! The questions in their order, and what is made of the answers.

use std::collections::BTreeSet;

use unsite_dom::{FieldKind, Method, NodeId, Tree};
use url::Url;

use super::answers::{AnswerClass, Answers};
use super::coverage::Seen;
use super::fill::{Plan, pairs, plans, request};
use super::form::Found;
use super::pagination::next_page;
use super::reading::hash;
use super::report::{Ended, FormReport, ProbeReport, QueryReport};
use super::session::{Page, Session};
use super::words::{WordKind, Words};
use super::{ProbeError, ProbeEvent, ProbeOptions, ProbeStatus};
use crate::fetch::{FetchError, Request};

/// Who is told what happens.
type Watch<'w> = dyn FnMut(&ProbeEvent<'_>) + 'w;

/// Nonsense words that come before anything else. Two show what changes by itself; the third confirms it.
const NONSENSE_FIRST: usize = 3;

/// Every so many words, one goes through another field or another option.
const VARY_EVERY: usize = 8;

/// Another way to fill in the form is given up when it has matched nothing so many times.
const VARIANT_TRIES: usize = 3;

/// Failures in a row after which the site is left alone.
const MAX_FAILURES: usize = 5;

/// A probe that is under way.
pub(super) struct Questions<'a> {
    session: Session<'a>,
    found: Found,
    options: &'a ProbeOptions,
    form: FormReport,
    words: Words,
    plans: Vec<Plan>,
    /// For each plan, how often it was tried without a match; none once it had one.
    fruitless: Vec<Option<usize>>,
    answers: Answers,
    seen: Seen,
    queries: Vec<QueryReport>,
    /// The answer of each query; none where there was none.
    answer_of: Vec<Option<usize>>,
    /// Pages of results that were fetched.
    fetched: BTreeSet<String>,
    further_pages: usize,
    ended: Ended,
}

impl<'a> Questions<'a> {
    pub(super) fn new(session: Session<'a>, found: Found, options: &'a ProbeOptions, language: &str) -> Self {
        let plans = plans(&found.form);
        let form = FormReport {
            page: found.page.to_string(),
            action: found.action.to_string(),
            method: if found.form.method == Method::Post { "POST" } else { "GET" },
            field: plans.first().map_or_else(String::new, |plan| shown(&found, plan)),
            others: plans.iter().skip(1).map(|plan| shown(&found, plan)).collect(),
            score: found.score,
            language: language.to_owned(),
        };
        Questions {
            session,
            options,
            form,
            words: Words::new(options.seed, Some(language)),
            fruitless: vec![Some(0); plans.len()],
            plans,
            found,
            answers: Answers::default(),
            seen: Seen::default(),
            queries: Vec::new(),
            answer_of: Vec::new(),
            fetched: BTreeSet::new(),
            further_pages: 0,
            ended: Ended::WordsUsedUp,
        }
    }

    pub(super) fn form(&self) -> &FormReport {
        &self.form
    }

    /// Asks until there is a reason to end.
    pub(super) fn ask_all(&mut self, watch: &mut Watch<'_>) -> Result<(), ProbeError> {
        let most = self.options.words + self.options.nonsense;
        let (mut words, mut nonsense, mut quiet, mut failures) = (0, 0, 0, 0);
        while words + nonsense < most {
            if self.session.requests >= self.options.max_pages {
                self.ended = Ended::PagesUsedUp;
                break;
            }
            let (word, kind) = match self.next_word(words, nonsense) {
                Some(next) => next,
                None => break,
            };
            let plan = if kind == WordKind::Nonsense { 0 } else { self.plan_for(words) };
            match kind {
                WordKind::Nonsense => nonsense += 1,
                _ => words += 1,
            }
            match self.ask(&word, kind, plan, watch) {
                Ok(()) => failures = 0,
                Err(ProbeError::Fetch(FetchError::Stopped)) => {
                    self.ended = Ended::Stopped;
                    break;
                }
                Err(ProbeError::Fetch(error)) => {
                    failures += 1;
                    self.failed(&word, kind, &error.to_string());
                }
                Err(ProbeError::Write(error)) => {
                    self.session.problems.insert(0, error.to_string());
                    self.ended = Ended::CannotWrite;
                    break;
                }
                // The first word tells whether the form may be asked at all.
                Err(error) => return Err(error),
            }
            if let Some(query) = self.queries.last() {
                watch(&ProbeEvent::Answered { query, status: self.status() });
                match kind {
                    WordKind::Nonsense => {}
                    _ if query.new > 0 => quiet = 0,
                    _ => quiet += 1,
                }
            }
            if failures >= MAX_FAILURES {
                self.ended = Ended::SiteFails;
                break;
            }
            // Without any result there is nothing that could have stopped growing.
            if quiet >= self.options.patience && self.seen.len() > 0 {
                self.ended = Ended::NothingNew;
                break;
            }
        }
        Ok(())
    }

    fn status(&self) -> ProbeStatus {
        ProbeStatus {
            sent: self.queries.len(),
            most: self.options.words + self.options.nonsense,
            requests: self.session.requests,
            results: self.seen.len(),
            bytes: self.session.bytes,
            errors: self.session.problems.len(),
        }
    }

    /// What was found out, with the classes that all answers together give to each.
    pub(super) fn report(mut self) -> ProbeReport {
        let classes = self.answers.classes();
        for (query, answer) in self.queries.iter_mut().zip(&self.answer_of) {
            query.class = answer.map_or(AnswerClass::Error, |answer| classes[answer]).name();
        }
        let (results, estimated_results) = (self.seen.len(), self.seen.estimate());
        ProbeReport {
            form: self.form,
            queries: self.queries,
            requests: self.session.requests,
            further_pages: self.further_pages,
            results,
            estimated_results,
            estimated_coverage: (results > 0).then(|| results as f64 / estimated_results),
            ended: self.ended,
            problems: self.session.problems,
        }
    }

    /// The word that comes next. Nonsense is spread evenly behind the first few.
    fn next_word(&mut self, words: usize, nonsense: usize) -> Option<(String, WordKind)> {
        let first = NONSENSE_FIRST.min(self.options.nonsense);
        let spread = self.options.nonsense - first;
        // The last nonsense word comes before two thirds of the words were asked.
        let due = first + (words * 3 * spread).div_ceil(self.options.words.max(1) * 2).min(spread);
        if nonsense < due || words >= self.options.words {
            return (nonsense < self.options.nonsense).then(|| (self.words.nonsense(), WordKind::Nonsense));
        }
        let harvested = if self.words.has_harvest() && !words.is_multiple_of(4) {
            let rare = words % 4 == 3;
            if rare { self.words.rare() } else { self.words.frequent() }
        } else {
            None
        };
        harvested
            .map(|word| (word, WordKind::Harvested))
            .or_else(|| self.words.dictionary().map(|word| (word, WordKind::Dictionary)))
            .or_else(|| self.words.frequent().map(|word| (word, WordKind::Harvested)))
    }

    /// Which way to fill in the form: the first one, and now and then another that still has a chance. A first one that
    /// never matches loses its rank.
    fn plan_for(&self, words: usize) -> usize {
        let alive = |&plan: &usize| self.fruitless[plan].is_none_or(|tries| tries < VARIANT_TRIES);
        let others: Vec<usize> = (1..self.plans.len()).filter(alive).collect();
        let first_is_deaf =
            self.fruitless.first().is_some_and(|tries| tries.is_some_and(|tries| tries >= 2 * VARY_EVERY));
        let turn = words / VARY_EVERY;
        if others.is_empty() || (words % VARY_EVERY != VARY_EVERY - 1 && !first_is_deaf) {
            return 0;
        }
        others[if first_is_deaf { words } else { turn } % others.len()]
    }

    /// Asks for one word and follows the pages of its results.
    fn ask(
        &mut self,
        word: &str,
        kind: WordKind,
        plan: usize,
        watch: &mut Watch<'_>,
    ) -> Result<(), ProbeError> {
        let default = Plan { field: None, choice: None };
        let plan_used = self.plans.get(plan).unwrap_or(&default);
        let filled = pairs(&self.found.form, plan_used, word);
        let variant = if plan == 0 { String::new() } else { shown(&self.found, plan_used) };
        let about = [("probe-word", word), ("probe-kind", kind.name()), ("probe-variant", variant.as_str())];
        watch(&ProbeEvent::Asking { word, page: 1, status: self.status() });
        let page = self.session.ask(request(&self.found.form, &self.found.action, &filled), &about)?;
        let answer = self.answers.add(&page.tree, word, kind == WordKind::Nonsense, page.status >= 400);
        let class = self.answers.class(answer);
        let number = self.queries.len();
        let mut query = QueryReport {
            word: word.to_owned(),
            kind: kind.name(),
            variant,
            url: page.url.to_string(),
            class: class.name(),
            pages: 1,
            results: 0,
            new: 0,
        };
        if matches!(class, AnswerClass::Several | AnswerClass::One) && kind != WordKind::Nonsense {
            self.follow(page, word, number, &mut query, watch)?;
            self.fruitless[plan] = None;
        } else if let Some(Some(tries)) = self.fruitless.get_mut(plan) {
            *tries += 1;
        }
        self.queries.push(query);
        self.answer_of.push(Some(answer));
        Ok(())
    }

    /// Reads the results of a page and of those behind it, as long as they bring something new.
    fn follow(
        &mut self,
        first: Page,
        word: &str,
        number: usize,
        query: &mut QueryReport,
        watch: &mut Watch<'_>,
    ) -> Result<(), ProbeError> {
        let mut page = first;
        loop {
            let new = self.take_results(&page, word, number, query);
            self.fetched.insert(page.url.to_string());
            let budget =
                query.pages < self.options.pages_per_query && self.session.requests < self.options.max_pages;
            if !budget || new == 0 {
                return Ok(());
            }
            let known = |url: &Url| self.fetched.contains(url.as_str());
            let Some(next) = next_page(&page.tree, &page.url, query.pages, &known) else { return Ok(()) };
            let about = [("probe-word", word), ("probe-page", &(query.pages + 1).to_string())];
            watch(&ProbeEvent::Asking { word, page: query.pages + 1, status: self.status() });
            page = match self.session.ask(Request::get(next), &about) {
                Ok(page) if page.status < 400 => page,
                Err(error @ (ProbeError::Write(_) | ProbeError::Fetch(FetchError::Stopped))) => {
                    return Err(error);
                }
                // The first page stands, whatever becomes of those behind it.
                Ok(_) | Err(_) => return Ok(()),
            };
            query.pages += 1;
            self.further_pages += 1;
        }
    }

    /// Notes the results of a page; how many of them are new.
    fn take_results(&mut self, page: &Page, word: &str, number: usize, query: &mut QueryReport) -> usize {
        let mut elements = self.answers.results(&page.tree, word);
        if elements.is_empty() {
            // A page of its own is one result.
            elements.extend(page.tree.root());
        }
        let things = identities(&page.tree, page.url.as_str(), &elements);
        query.results += things.len();
        let mut new = 0;
        for (thing, element) in things.into_iter().zip(elements) {
            if self.seen.note(thing, number) {
                new += 1;
                self.words.harvest(&page.tree.visible_text(element));
            }
        }
        query.new += new;
        new
    }

    fn failed(&mut self, word: &str, kind: WordKind, error: &str) {
        self.session.problems.push(format!("{word}: {error}"));
        self.queries.push(QueryReport {
            word: word.to_owned(),
            kind: kind.name(),
            variant: String::new(),
            url: self.found.action.to_string(),
            class: AnswerClass::Error.name(),
            pages: 0,
            results: 0,
            new: 0,
        });
        self.answer_of.push(None);
    }
}

/// What tells results apart: the first link that no other result of the page has, or else its text.
fn identities(tree: &Tree, url: &str, elements: &[NodeId]) -> Vec<u64> {
    let links = tree.links(url);
    let inside = |element: NodeId| {
        let from = links.partition_point(|link| link.node < element);
        let end = tree.end(element);
        links[from..].iter().take_while(move |link| link.node < end).filter_map(|link| link.url.as_ref())
    };
    let mut owners: std::collections::BTreeMap<&str, BTreeSet<NodeId>> = std::collections::BTreeMap::new();
    for &element in elements {
        for link in inside(element) {
            owners.entry(link.as_str()).or_default().insert(element);
        }
    }
    let own = |element: NodeId| inside(element).map(Url::as_str).find(|link| owners[link].len() == 1);
    elements
        .iter()
        .map(|&element| own(element).map_or_else(|| hash(&tree.visible_text(element)), hash))
        .collect()
}

/// A way to fill in the form, for people.
fn shown(found: &Found, plan: &Plan) -> String {
    let name = |at: usize| {
        let field = &found.form.fields[at];
        let label = if field.label.is_empty() || field.kind == FieldKind::Select {
            &field.name
        } else {
            &field.label
        };
        if *label == field.name { field.name.clone() } else { format!("{} ({label})", field.name) }
    };
    let field = plan.field.map(name).unwrap_or_default();
    match plan.choice {
        Some((at, option)) => {
            let chosen = &found.form.fields[at].options[option].text;
            format!("{field} with {}={chosen}", found.form.fields[at].name).trim_start().to_owned()
        }
        None => field,
    }
}
