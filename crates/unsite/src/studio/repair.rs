//! A redesign: what was found again and what was not, beside what was there, and which tables people accept.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use unsite::Progress;
use unsite::pipeline::repair_wrapper;
use unsite_wrapper::SavedWrapper;

use super::job::Told;
use super::keep::source;
use super::session::{Pages, Studio};
use crate::commands::by_hand::Called;

/// A repair that waits for an answer.
pub(super) struct Proposal {
    saved: SavedWrapper,
    pub(super) pages: Arc<Pages>,
    told: Value,
}

/// Long work: learns the changed site under the old names. Nothing is changed until somebody accepts it.
pub(super) fn propose(studio: &Studio, request: &Value, told: &mut Told) -> Result<Value> {
    let source = source(studio, request)?;
    let learned = studio.session().learned.clone().context("there is no wrapper to repair")?;
    let repair = repair_wrapper(&source, &learned, &studio.options, told)?;
    told.stage("reading the pages", None);
    let mut pages = Pages::default();
    let mut stream = source.pages()?;
    while let Some(item) = stream.next_page() {
        match item {
            Ok(page) => pages.list.push(page),
            Err(problem) => pages.problems.push(problem),
        }
        told.advance(1);
        told.go_on()?;
    }
    pages.list.sort_by(|a, b| a.url.cmp(&b.url).then(a.reference.cmp(&b.reference)));
    let called = Called::of(&learned);
    let mut tables: Vec<(String, Vec<Value>)> = Vec::new();
    for column in &repair.columns {
        let (table, name) = called.now(&column.table, &column.column);
        let is_as_it_was = column.state.is_as_it_was();
        let one = json!({
            "table": table, "column": name, "page_type": called.page_type(&column.page_type),
            "found": column.is_proved(), "same": is_as_it_was, "agreed": column.agreed, "compared": column.compared,
            "before": column.selectors.0, "now": column.selectors.1,
        });
        match tables.iter_mut().find(|(known, _)| *known == column.table) {
            Some((_, columns)) => columns.push(one),
            None => tables.push((column.table.clone(), vec![one])),
        }
    }
    let tables: Vec<Value> = tables
        .into_iter()
        .map(|(name, columns)| json!({"name": name, "called": called.now(&name, "").0, "columns": columns}))
        .collect();
    let unmade: Vec<String> = repair
        .saved
        .edited()
        .unmade
        .iter()
        .map(|unmade| format!("{}: {}", unmade.edit, unmade.why))
        .collect();
    let side_by_side = {
        let session = studio.session();
        let both = |url: &str| pages.list.iter().position(|page| page.url == url);
        let olds = session.pages.list.iter().enumerate();
        let pairs = olds
            .filter_map(|(old, page)| Some(json!({"url": page.url, "old": old, "new": both(&page.url)?})));
        pairs.take(PAIRS).collect::<Vec<Value>>()
    };
    let told = json!({
        "unchanged": repair.is_unchanged(), "refusal": repair.refusal(), "records": repair.records, "found": repair.found,
        "tables": tables, "added": repair.added, "gone": repair.gone, "new_page_types": repair.new_types,
        "unmade": unmade, "pages": side_by_side, "source": source.name(),
    });
    let mut session = studio.session();
    session.repair = Some(Proposal { saved: repair.saved, pages: Arc::new(pages), told: told.clone() });
    Ok(told)
}

/// Pages that can be looked at side by side.
const PAIRS: usize = 40;

/// `GET api/repair`: what is proposed.
pub(super) fn told(studio: &Studio) -> Value {
    studio.session().repair.as_ref().map_or(Value::Null, |proposal| proposal.told.clone())
}

/// `POST api/repair/accept {"tables": [...]}`: the wrapper reads these tables as proposed, and nothing of the others.
pub(super) fn accept(studio: &Studio, request: &Value) -> Result<Value> {
    let mut session = studio.session();
    let accepted: FxHashSet<&str> =
        request["tables"].as_array().context("name the tables")?.iter().filter_map(Value::as_str).collect();
    let Some(proposal) = session.repair.take() else { bail!("there is no repair to accept") };
    if !proposal.told["refusal"].is_null() {
        session.repair = Some(proposal);
        bail!("a repair without proof cannot be accepted");
    }
    let offered = proposal.told["tables"].as_array().into_iter().flatten();
    let refused: Vec<&str> =
        offered.filter_map(|table| table["name"].as_str()).filter(|name| !accepted.contains(name)).collect();
    let mut saved = proposal.saved.clone();
    leave(&mut saved, &refused);
    saved.edits = session.learned.as_ref().map(|learned| learned.edits.clone()).unwrap_or_default();
    if !refused.is_empty() {
        saved.provenance.history.push(format!("not accepted of the repair: {}", refused.join(", ")));
    }
    session.pages = Arc::clone(&proposal.pages);
    session.take(saved);
    session.is_new = true;
    session.undone.clear();
    session.rebuild(&studio.options, None)?;
    Ok(json!({"state": super::change::state(&session)}))
}

/// Reads nothing of some tables: values that are missing are better than values that nobody vouches for.
fn leave(saved: &mut SavedWrapper, tables: &[&str]) {
    let known = &saved.wrapper.schema.tables;
    let left: Vec<bool> = known.iter().map(|info| tables.contains(&info.name.as_str())).collect();
    let is_left = |table: usize| left.get(table).copied().unwrap_or(false);
    for model in &mut saved.wrapper.types {
        for node in &mut model.template.nodes {
            node.reads.retain(|read| !is_left(read.table));
        }
        model.template.inherits.retain(|rule| !is_left(rule.table));
    }
    for profile in &mut saved.profile.types {
        for (_, table) in profile.tables.iter_mut().filter(|(table, _)| is_left(**table)) {
            table.columns.clear();
        }
    }
}
