//! Changes by hand: made, undone, done again, told.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite_wrapper::edits::Step;

use super::session::{Session, Studio};

/// The most edits of one request.
const MOST: usize = 10_000;

/// How things stand, for the header of every view.
pub(super) fn state(session: &Session) -> Value {
    let edits = session.learned.as_ref().map_or(0, |learned| learned.edits.len());
    json!({
        "version": session.version, "edits": edits, "undone": session.undone.len(), "changed": session.is_changed(),
        "unmade": session.unmade.len(),
    })
}

/// `GET api/log`: every change, in words and as data.
pub(super) fn log(studio: &Studio) -> Value {
    let session = studio.session();
    let steps = session.learned.as_ref().map(|learned| learned.edits.as_slice()).unwrap_or_default();
    let told: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| {
            let unmade = session.unmade.iter().find(|unmade| unmade.at == at);
            json!({
                "text": step.edit.to_string(), "step": step, "kept": session.kept.get(at) == Some(step),
                "unmade": unmade.map(|unmade| unmade.why.to_string()),
            })
        })
        .collect();
    let undone: Vec<String> = session.undone.iter().rev().map(|step| step.edit.to_string()).collect();
    json!({"log": told, "undone": undone, "state": state(&session)})
}

/// `GET api/log/file`: what `unsite edit` takes.
pub(super) fn file(studio: &Studio) -> String {
    let session = studio.session();
    let steps = session.learned.as_ref().map(|learned| learned.edits.as_slice()).unwrap_or_default();
    let lines: Vec<String> = steps.iter().map(|step| json!(step).to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// `POST api/edits {"edits": [...]}`: all of them or none.
pub(super) fn edit(studio: &Studio, request: &Value) -> Result<Value> {
    let list = request["edits"].as_array().context("send a list of edits")?;
    if list.len() > MOST {
        bail!("{} edits are more than {MOST} at once", list.len());
    }
    let steps: Vec<Step> = list
        .iter()
        .enumerate()
        .map(|(at, edit)| {
            serde_json::from_value(edit.clone())
                .with_context(|| format!("item {} is no edit (docs/studio.md)", at + 1))
        })
        .collect::<Result<_>>()?;
    make(studio, steps)
}

/// Makes edits and writes the database anew; where that fails everything is as it was.
pub(super) fn make(studio: &Studio, steps: Vec<Step>) -> Result<Value> {
    let mut session = studio.session();
    let count = steps.len();
    let learned =
        session.learned.as_mut().context("there is no wrapper yet; learn one from the pages first")?;
    learned.edit(steps).map_err(|unmade| anyhow::anyhow!("{}", unmade.why))?;
    follow(studio, &mut session, |learned| drop(learned.undo(count)))?;
    session.undone.clear();
    Ok(done(&session))
}

/// `POST api/undo {"count": 1}`
pub(super) fn undo(studio: &Studio, request: &Value) -> Result<Value> {
    let mut session = studio.session();
    let count = request["count"].as_u64().unwrap_or(1) as usize;
    let learned = session.learned.as_mut().context("there is nothing to undo")?;
    let taken = learned.undo(count);
    if taken.is_empty() {
        bail!("there is nothing to undo");
    }
    let back = taken.clone();
    follow(studio, &mut session, |learned| learned.edits.extend(back))?;
    session.undone.extend(taken.into_iter().rev());
    Ok(done(&session))
}

/// `POST api/redo {"count": 1}`
pub(super) fn redo(studio: &Studio, request: &Value) -> Result<Value> {
    let mut session = studio.session();
    let count = (request["count"].as_u64().unwrap_or(1) as usize).min(session.undone.len());
    if count == 0 {
        bail!("there is nothing to do again");
    }
    let first = session.undone.len() - count;
    let again: Vec<Step> = session.undone[first..].iter().rev().cloned().collect();
    let learned = session.learned.as_mut().context("there is no wrapper")?;
    learned.edits.extend(again);
    follow(studio, &mut session, |learned| drop(learned.undo(count)))?;
    session.undone.truncate(first);
    Ok(done(&session))
}

/// `POST api/forget {"number": 3}`: takes one edit out of the log, wherever it stands.
pub(super) fn forget(studio: &Studio, request: &Value) -> Result<Value> {
    let mut session = studio.session();
    let number = request["number"].as_u64().unwrap_or(0) as usize;
    let learned = session.learned.as_mut().context("there is no wrapper")?;
    if number == 0 || number > learned.edits.len() {
        bail!("there is no change {number}");
    }
    let before = learned.edits.clone();
    learned.edits.remove(number - 1);
    follow(studio, &mut session, |learned| learned.edits = before)?;
    session.undone.clear();
    Ok(done(&session))
}

/// How things stand after a change, with the tables that there are now: rows are counted later.
fn done(session: &Session) -> Value {
    let Some(edited) = &session.edited else { return json!({"state": state(session)}) };
    let schema = edited.wrapper.stored_schema();
    let tables: Vec<Value> = schema
        .tables
        .iter()
        .map(|info| {
            let columns: Vec<Value> = info
                .columns
                .iter()
                .map(|column| {
                    json!({
                        "name": column.name, "type": column.value_type.name(), "label": column.label,
                        "selector": column.selector, "confidence": column.confidence, "coverage": column.coverage,
                        "hidden": column.is_hidden || !info.is_shown(), "note": column.note,
                    })
                })
                .collect();
            let named = |at: usize| schema.tables.get(at).map(|info| info.name.as_str());
            json!({
                "name": info.name, "page_type": schema.page_types.get(info.page_type).map(|info| &info.name),
                "parent": info.parent.and_then(named), "kind": info.kind.name(), "why": info.why, "rows": null,
                "hidden": !info.is_shown(), "columns": columns,
            })
        })
        .collect();
    json!({"state": state(session), "tables": tables})
}

/// The log has changed: what follows from it follows, or the log is as it was.
fn follow(
    studio: &Studio,
    session: &mut Session,
    back: impl FnOnce(&mut unsite_wrapper::SavedWrapper),
) -> Result<()> {
    session.replay();
    if let Err(error) = session.rebuild_meanwhile(&studio.options) {
        if let Some(learned) = session.learned.as_mut() {
            back(learned);
        }
        session.replay();
        return Err(error);
    }
    Ok(())
}
