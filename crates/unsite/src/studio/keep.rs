//! What is kept: the wrapper with its log, tables in every form, code for other tools.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite::export::{Parser, Target, export};
use unsite::pipeline::{Classifier, extract_with, read_wrapper, write_wrapper};
use unsite_store::Output;
use unsite_wrapper::edits::Step;

use super::job::Told;
use super::session::{Session, Studio, number_of, short};

/// Tries to hold a file that others replace.
const TRIES: usize = 50;

/// What stands in a file, as a number.
pub(super) fn fingerprint_of(path: &Path) -> Option<u64> {
    fs::read(path).ok().map(|bytes| number_of(&bytes))
}

/// `POST api/keep {"how": "keep"|"on-theirs"|"copy", "name": "..."}`
pub(super) fn keep(studio: &Studio, request: &Value) -> Result<Value> {
    let mut session = studio.session();
    match request["how"].as_str().unwrap_or("keep") {
        "copy" => copy(&mut session, request["name"].as_str().unwrap_or_default()),
        "on-theirs" => {
            put_on_theirs(&mut session)?;
            session.rebuild(&studio.options, None)?;
            save(&mut session)
        }
        _ => save(&mut session),
    }
}

/// Writes the wrapper where it is kept, unless somebody else has done so meanwhile.
fn save(session: &mut Session) -> Result<Value> {
    let path = session.wrapper_file.clone();
    let _held = held(&path)?;
    let there = fingerprint_of(&path);
    if there != session.on_disk {
        return Ok(conflict(session, &path));
    }
    let learned = session.learned.as_ref().context("there is no wrapper to keep")?;
    write_wrapper(&path, learned)?;
    session.kept = learned.edits.clone();
    session.is_new = false;
    session.on_disk = fingerprint_of(&path);
    Ok(json!({"kept": short(&path), "state": super::change::state(session)}))
}

/// What somebody else wrote, and what is not in it.
fn conflict(session: &Session, path: &Path) -> Value {
    let words = |steps: &[Step]| steps.iter().map(|step| step.edit.to_string()).collect::<Vec<_>>();
    let ours = session.learned.as_ref().map(|learned| learned.edits.clone()).unwrap_or_default();
    let theirs = read_wrapper(path).map(|saved| saved.edits);
    let (theirs, told) = match theirs {
        Ok(theirs) => (theirs, "somebody else has changed it meanwhile"),
        Err(_) => (Vec::new(), "it is gone, or no wrapper any more"),
    };
    let only = |mine: &[Step], other: &[Step]| -> Vec<Step> {
        mine.iter().filter(|step| !other.contains(step)).cloned().collect()
    };
    json!({
        "conflict": format!("{} is not what was opened: {told}", short(path)),
        "theirs": words(&only(&theirs, &ours)), "ours": words(&only(&ours, &theirs)),
    })
}

/// Takes what somebody else wrote and makes our own edits once more on it.
fn put_on_theirs(session: &mut Session) -> Result<()> {
    let ours = session.learned.as_ref().map(|learned| learned.edits.clone()).unwrap_or_default();
    let known = session.kept.clone();
    let mut theirs = read_wrapper(&session.wrapper_file)?;
    let on_disk = fingerprint_of(&session.wrapper_file);
    let kept = theirs.edits.clone();
    let new: Vec<Step> =
        ours.into_iter().filter(|step| !known.contains(step) && !kept.contains(step)).collect();
    // What cannot be made any more stays in the log and is told.
    theirs.edits.extend(new);
    session.on_disk = on_disk;
    session.kept = kept;
    session.undone.clear();
    session.take(theirs);
    Ok(())
}

fn copy(session: &mut Session, name: &str) -> Result<Value> {
    let path = beside(session, name)?;
    if path.exists() {
        bail!("{} is there already; name another file", path.display());
    }
    let learned = session.learned.as_ref().context("there is no wrapper to keep")?;
    write_wrapper(&path, learned)?;
    session.kept = learned.edits.clone();
    session.is_new = false;
    session.on_disk = fingerprint_of(&path);
    session.wrapper_file = path.clone();
    Ok(json!({"kept": short(&path), "state": super::change::state(session)}))
}

/// A place for a file: beside the wrapper unless it says more.
fn beside(session: &Session, name: &str) -> Result<PathBuf> {
    if name.trim().is_empty() {
        bail!("name a file");
    }
    let folder = session.wrapper_file.parent().unwrap_or(Path::new(""));
    Ok(folder.join(name.trim()))
}

/// Holds a file against others who want to write it, until it is dropped. One that is replaced meanwhile is held anew.
fn held(path: &Path) -> Result<Option<File>> {
    for _ in 0..TRIES {
        let Ok(file) = File::open(path) else { return Ok(None) };
        file.lock().with_context(|| format!("cannot hold {}", path.display()))?;
        if is_same(&file, path) {
            return Ok(Some(file));
        }
    }
    bail!("{} is written again and again by somebody else; try later", path.display())
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: &fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if number(&a) == number(&b))
}

#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> bool {
    true
}

/// Long work: the pages through the wrapper as it stands now into a store.
pub(super) fn extract(studio: &Studio, request: &Value, told: &mut Told) -> Result<Value> {
    let name = request["output"].as_str().unwrap_or_default().trim();
    let (edited, path) = {
        let session = studio.session();
        let path = match name.contains("://") {
            true => PathBuf::from(name),
            false => beside(&session, name)?,
        };
        (session.wrapper()?.clone(), path)
    };
    let source = studio.source()?;
    // Joining keeps no slash at the end, which asks for a folder.
    let spelled =
        if name.ends_with('/') { format!("{}/", path.display()) } else { path.display().to_string() };
    let output = Output::parse(&spelled)?.replace(request["replace"] == true).all(request["all"] == true);
    let given = studio.source.as_deref().unwrap_or_default();
    if output.replaces(Path::new(given)) || output.replaces(&studio.wrapper_file()) {
        bail!("{name} would take the place of what is open here; name another output");
    }
    let extracted = extract_with(&source, &edited, Classifier::Marks, &output, &studio.options, told)?;
    if output.format() == unsite_store::Format::Sqlite {
        // Beside the database for whoever looks at it; nothing is lost without.
        let _ = unsite::write_datasette(&extracted.summary.path);
    }
    Ok(json!({
        "path": extracted.summary.path, "rows": extracted.summary.rows, "tables": extracted.summary.tables.len(),
        "changes": extracted.checked.findings.len(),
    }))
}

/// `GET api/code?to=scrapy`: the wrapper as code.
pub(super) fn code(studio: &Studio, to: &str) -> Result<(String, String)> {
    let (target, ending) = match to {
        "scrapy" => (Target::Scrapy, "spider.py"),
        "parsel" => (Target::Parsel, "parse.py"),
        "xpath" => (Target::XPath, "xpath.txt"),
        "css" => (Target::Css, "css.txt"),
        _ => bail!("there is no code {to:?}; there are scrapy, parsel, xpath and css"),
    };
    let session = studio.session();
    let name = short(&session.wrapper_file);
    let exported = export(&session.wrapper()?.wrapper, target, Parser::Lxml, &name);
    Ok((ending.to_owned(), exported.text))
}

/// Long work: are pages still what they were?
pub(super) fn check(studio: &Studio, request: &Value, told: &mut Told) -> Result<Value> {
    let source = source(studio, request)?;
    let edited = studio.session().wrapper()?.clone();
    let checked = unsite::pipeline::check_source(&source, &edited, Classifier::Marks, &studio.options, told)?;
    Ok(crate::commands::check::json(&edited, &checked))
}

/// The pages that somebody names, or those that are open.
pub(super) fn source(studio: &Studio, request: &Value) -> Result<unsite_acquire::Source> {
    let name = request["source"].as_str().unwrap_or_default().trim();
    if name.is_empty() {
        return studio.source();
    }
    let options = unsite_acquire::SourceOptions { limits: studio.options.limits, ..Default::default() };
    Ok(unsite_acquire::Source::open(name, &options)?)
}

/// Long work: learns the pages again. The log is made once more on what is learned.
pub(super) fn learn(studio: &Studio, told: &mut Told) -> Result<Value> {
    let source = studio.source()?;
    let mut taught = unsite::pipeline::learn_wrapper(&source, &studio.options, Classifier::Marks, told)?;
    told.go_on()?;
    let mut session = studio.session();
    taught.saved.edits = session.learned.as_ref().map(|learned| learned.edits.clone()).unwrap_or_default();
    session.take(taught.saved);
    session.is_new = true;
    session.rebuild(&studio.options, None)?;
    Ok(json!({"state": super::change::state(&session)}))
}
