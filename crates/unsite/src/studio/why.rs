//! Why a value is what it is: the receipt that `unsite why` prints, and what recognised the page.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use unsite_discover::Site;
use unsite_discover::page_types::auto::Typing;
use unsite_wrapper::Family;

use super::page::tree;
use super::session::{Session, Studio};
use crate::commands::receipt::{Asked, receipt};
use crate::commands::why_page::json_of;

/// `GET api/why/TABLE/ROW/COLUMN`
pub(super) fn why(studio: &Studio, table: &str, row: i64, column: &str) -> Result<Value> {
    let built = studio.built()?.context("there is nothing to look at yet")?;
    let session = studio.session();
    let told = built.ask(|open| receipt(&open.db, &Asked { table, row, column }))?;
    let place = |page: &Value| {
        let text = |key: &str| page[key].as_str().unwrap_or_default();
        session.page_at(text("url"), text("ref"))
    };
    let own = place(&told["page"]);
    let mut places = Vec::new();
    for value in told["values"].as_array().into_iter().flatten() {
        places.push(json!(place(&value["page"])));
    }
    let recognised = own.map(|at| recognised(&session, at));
    Ok(json!({"receipt": told, "page": own, "places": places, "recognised": recognised}))
}

/// What speaks for the type of a page, and for the next best.
pub(super) fn recognised(session: &Session, at: usize) -> Value {
    let (Some(edited), Some(raw)) = (&session.edited, session.pages.list.get(at)) else { return Value::Null };
    let tree = tree(raw);
    let Some(found) = edited.wrapper.recognise(&tree, &raw.url) else { return Value::Null };
    let name = |at: usize| edited.wrapper.schema.page_types[at].name.clone();
    let evidence: Vec<Value> = Family::ALL
        .iter()
        .zip(found.evidence)
        .map(|(family, odds)| json!({"expert": family.name(), "log_odds": odds}))
        .collect();
    json!({"page_type": name(found.page_type), "runner_up": found.runner_up.map(name), "evidence": evidence})
}

/// Long work: every expert is asked about a page, among all pages of the source.
pub(super) fn experts(studio: &Studio, at: usize, told: &mut super::job::Told) -> Result<Value> {
    use unsite::Progress;
    let source = studio.source()?;
    let (url, reference) = {
        let session = studio.session();
        let raw = super::page::page(&session, at)?;
        (raw.url.clone(), raw.reference.clone())
    };
    let sampled = unsite::pipeline::sample(&source, &studio.options, told)?;
    told.stage("parsing", Some(sampled.pages.len()));
    let site = Site::parse(sampled.pages, &studio.options.limits);
    told.stage("asking the experts", None);
    let typing = Typing::of(&site, &studio.options.page_type_options());
    let known = site.pages.iter().position(|page| page.raw.reference == reference && page.raw.url == url);
    let why =
        known.and_then(|at| typing.why(&site, at)).context("the experts have not looked at this page")?;
    Ok(json_of(&url, &typing, &why))
}
