//! What answers what.

use std::sync::Arc;

use anyhow::{Context, Result};
use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::server::{Answer, Request};
use super::session::Studio;
use super::{at, change, columns, keep, overview, page, repair, table, why};

/// The files of the studio itself.
const FILES: [(&str, &str, &str); 12] = [
    ("app.js", "text/javascript; charset=utf-8", include_str!("web/app.js")),
    ("dom.js", "text/javascript; charset=utf-8", include_str!("web/dom.js")),
    ("overview.js", "text/javascript; charset=utf-8", include_str!("web/overview.js")),
    ("diagram.js", "text/javascript; charset=utf-8", include_str!("web/diagram.js")),
    ("table.js", "text/javascript; charset=utf-8", include_str!("web/table.js")),
    ("column.js", "text/javascript; charset=utf-8", include_str!("web/column.js")),
    ("page.js", "text/javascript; charset=utf-8", include_str!("web/page.js")),
    ("why.js", "text/javascript; charset=utf-8", include_str!("web/why.js")),
    ("change.js", "text/javascript; charset=utf-8", include_str!("web/change.js")),
    ("keep.js", "text/javascript; charset=utf-8", include_str!("web/keep.js")),
    ("ask.js", "text/javascript; charset=utf-8", include_str!("web/ask.js")),
    ("style.css", "text/css; charset=utf-8", include_str!("web/style.css")),
];

/// The page that every view is drawn on.
const INDEX: &str = include_str!("web/index.html");

/// Views, which have addresses of their own.
const VIEWS: [&str; 7] = ["overview", "tables", "table", "pages", "page", "changes", "keep"];

/// Answers a request; what goes wrong is told.
pub(super) fn answer(studio: &Arc<Studio>, request: &Request) -> Answer {
    match found(studio, request) {
        Ok(answer) => answer,
        Err(error) => Answer::refused(StatusCode::BAD_REQUEST, &said_once(&error)),
    }
}

/// The message and its causes, without those that it names already.
fn said_once(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| match cause.to_string() {
        cause if said.is_empty() => cause,
        cause if said.contains(&cause) => said,
        cause => format!("{said}: {cause}"),
    })
}

fn found(studio: &Arc<Studio>, request: &Request) -> Result<Answer> {
    let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
    let is_get = matches!(request.method, Method::GET | Method::HEAD);
    if let ["api", what @ ..] = path.as_slice() {
        return match (is_get, &request.method) {
            (true, _) => asked(studio, what, request),
            (false, &Method::POST) => told(studio, what, &request.json()?).map(|value| Answer::json(&value)),
            _ => Ok(nothing()),
        };
    }
    if !is_get {
        return Ok(nothing());
    }
    match path.as_slice() {
        ["web", name] => {
            let file = FILES.iter().find(|(known, ..)| known == name);
            Ok(file.map_or_else(nothing, |(_, kind, text)| Answer::text(kind, *text)))
        }
        ["view", number] => Ok(Answer::page(page::view(studio, parsed(number)?)?)),
        ["view", "new", number] => {
            let pages = studio.session().repair.as_ref().map(|proposal| Arc::clone(&proposal.pages));
            let pages = pages.context("there is no repair to look at")?;
            let raw = pages.list.get(parsed(number)?).context("there is no such page")?;
            Ok(Answer::page(super::inert::inert(&page::tree(raw))))
        }
        [] => Ok(index(0)),
        [view, rest @ ..] if VIEWS.contains(view) => Ok(index(rest.len() + 1)),
        _ => Ok(nothing()),
    }
}

/// The page with the way from this address back to the secret.
fn index(depth: usize) -> Answer {
    // An address without a slash at its end counts from the folder above it.
    let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth - 1) };
    let up = if up.is_empty() { "./".to_owned() } else { up };
    Answer::text("text/html; charset=utf-8", INDEX.replace("{up}", &up))
}

fn nothing() -> Answer {
    Answer::refused(StatusCode::NOT_FOUND, "there is nothing here")
}

fn parsed(number: &str) -> Result<usize> {
    number.parse().with_context(|| format!("{number:?} is no number"))
}

/// What is asked for.
fn asked(studio: &Arc<Studio>, what: &[&str], request: &Request) -> Result<Answer> {
    let built = || studio.built()?.context("there is nothing to look at yet");
    let value = match what {
        ["overview"] => overview::overview(studio)?,
        ["state"] => change::state(&studio.session()),
        ["table", name] => {
            let built = studio.quick(name)?.map_or_else(built, Ok)?;
            built.ask(|open| table::rows(open, name, request))?
        }
        ["filled", name] => built()?.ask(|open| columns::filled(&open.db, name))?,
        ["column", name, column] => built()?.ask(|open| columns::column(&open.db, name, column))?,
        ["pages"] => page::list(studio, request),
        ["page", number] => page::told(studio, parsed(number)?)?,
        ["at", number, node] => at::at(studio, parsed(number)?, parsed(node)?)?,
        ["recognised", number] => why::recognised(&studio.session(), parsed(number)?),
        ["why", name, row, column] => {
            why::why(studio, name, row.parse().with_context(|| format!("{row:?} is no row"))?, column)?
        }
        ["log"] => change::log(studio),
        ["log", "file"] => return Ok(Answer::file("edits.json", "application/json", change::file(studio))),
        ["job"] => studio.jobs.told(),
        ["repair"] => repair::told(studio),
        ["code"] => {
            let (name, text) = keep::code(studio, request.get("to").unwrap_or_default())?;
            return Ok(Answer::file(&name, "text/plain; charset=utf-8", text));
        }
        _ => return Ok(nothing()),
    };
    Ok(Answer::json(&value))
}

/// What is to be done.
fn told(studio: &Arc<Studio>, what: &[&str], request: &Value) -> Result<Value> {
    let shared = Arc::clone(studio);
    let asked = request.clone();
    match what {
        ["edits"] => change::edit(studio, request),
        ["make"] => {
            let edit = at::made(studio, request)?;
            change::make(studio, vec![edit.into()])
        }
        ["undo"] => change::undo(studio, request),
        ["redo"] => change::redo(studio, request),
        ["forget"] => change::forget(studio, request),
        ["keep"] => keep::keep(studio, request),
        ["extract"] => studio.jobs.start("extracting", move |told| keep::extract(&shared, &asked, told)),
        ["check"] => studio.jobs.start("checking", move |told| keep::check(&shared, &asked, told)),
        ["learn"] => studio.jobs.start("learning", move |told| keep::learn(&shared, told)),
        ["experts"] => {
            let page = request["page"].as_u64().context("say which page")? as usize;
            studio.jobs.start("asking the experts", move |told| why::experts(&shared, page, told))
        }
        ["repair"] => studio.jobs.start("repairing", move |told| repair::propose(&shared, &asked, told)),
        ["repair", "accept"] => repair::accept(studio, request),
        ["stop"] => {
            studio.jobs.stop();
            Ok(json!({}))
        }
        _ => anyhow::bail!("there is nothing here"),
    }
}
