//! What somebody opens: pages, a database, or a wrapper; the rest is looked for beside it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};
use unsite::Options;
use unsite::pipeline::{is_wrapper, learn_wrapper, read_wrapper};
use unsite_acquire::{Source, SourceOptions};

use super::built::Built;
use super::job::Jobs;
use super::session::{Pages, Session, Studio, short};
use crate::commands::from_database::is_database;
use crate::ui::Ui;

/// Bytes of pages that are held in memory: those of every labelled site fit several times.
const MOST_BYTES: usize = 512 << 20;

/// What is opened.
pub(crate) struct Opened<'a> {
    /// Pages, a database or a wrapper.
    pub what: &'a str,
    /// The wrapper, where it was named.
    pub wrapper: Option<&'a Path>,
    /// The pages, where they were named.
    pub pages: Option<&'a str>,
}

/// Opens a studio. What takes long has been done when it comes back: pages are read, and learned from where there is no
/// wrapper.
pub(crate) fn open(opened: &Opened<'_>, options: Options, ui: Ui) -> Result<Arc<Studio>> {
    let path = Path::new(opened.what);
    let (database, wrapper, pages) = if is_wrapper(path) {
        (None, path.to_owned(), named(opened.pages, path, source_of_wrapper(path)))
    } else if is_database(opened.what) {
        let beside = opened.wrapper.map_or_else(|| path.with_extension("unsite"), Path::to_owned);
        (Some(path), beside, named(opened.pages, path, source_of_database(path)))
    } else {
        let beside = opened.wrapper.map_or_else(|| wrapper_beside(path), Path::to_owned);
        (None, beside, Some(opened.what.to_owned()))
    };
    let mut session = Session::new(wrapper.clone(), Pages::default());
    if wrapper.exists() {
        session.load()?;
    } else if opened.wrapper.is_some() && pages.is_none() {
        bail!("there is no file {}; unsite learn SOURCE -w {0} writes a wrapper", wrapper.display());
    }
    if let Some(name) = &pages {
        let source =
            Source::open(name, &SourceOptions { limits: options.limits, ..SourceOptions::default() })?;
        session.pages = Arc::new(read(&source, ui)?);
        if session.learned.is_none() && database.is_none() {
            ui.hint(&format!("there is no {} yet: learning it from the pages", wrapper.display()));
            let taught = learn_wrapper(&source, &options, Default::default(), ui.progress().as_mut())?;
            session.take(taught.saved);
            session.is_new = true;
        }
    }
    match database {
        // What was asked for is shown as it is, until something is changed.
        Some(path) => session.show(Some(Arc::new(Built::there(path)?))),
        None if session.pages.list.is_empty() => {
            bail!("the pages of {} are not here; name them with --pages SOURCE", opened.what)
        }
        None => session.rebuild(&options, None)?,
    }
    let name = short(Path::new(pages.as_deref().unwrap_or(opened.what)));
    Ok(Arc::new(Studio { session: Mutex::new(session), jobs: Jobs::default(), options, name, source: pages }))
}

/// `site.unsite` for `site.warc.gz` and for the folder `site`.
fn wrapper_beside(source: &Path) -> PathBuf {
    let name = short(source);
    let stem = name.split('.').next().filter(|stem| !stem.is_empty() && *stem != "-").unwrap_or("site");
    source.with_file_name(format!("{stem}.unsite"))
}

/// The pages that were named, or those that something was made from, if they are still beside it or here.
fn named(pages: Option<&str>, beside: &Path, made_from: Option<String>) -> Option<String> {
    if let Some(pages) = pages {
        return Some(pages.to_owned());
    }
    let name = made_from.filter(|name| !name.is_empty())?;
    let folder = beside.parent().unwrap_or(Path::new(""));
    let places = [folder.join(&name), PathBuf::from(name)];
    places.into_iter().find(|path| path.exists()).map(|path| path.to_string_lossy().into_owned())
}

fn source_of_wrapper(path: &Path) -> Option<String> {
    read_wrapper(path).ok().map(|saved| saved.provenance.source)
}

fn source_of_database(path: &Path) -> Option<String> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    db.query_row("SELECT value FROM _meta WHERE key = 'source'", [], |row| row.get(0)).ok()
}

/// Reads all pages into memory.
fn read(source: &Source, ui: Ui) -> Result<Pages> {
    let mut progress = ui.progress();
    progress.stage("reading", None);
    let (mut pages, mut bytes) = (Pages::default(), 0);
    let mut stream = source.pages()?;
    while let Some(item) = stream.next_page() {
        match item {
            Ok(page) => {
                bytes += page.bytes.len();
                if bytes > MOST_BYTES {
                    bail!(
                        "the pages have more than {} MiB; give the studio a part of them, and the whole to unsite extract",
                        MOST_BYTES >> 20
                    );
                }
                pages.list.push(page);
                progress.advance(1);
            }
            Err(problem) => pages.problems.push(problem),
        }
    }
    if pages.list.is_empty() {
        bail!("{} holds no pages", source.name());
    }
    pages.list.sort_by(|a, b| a.url.cmp(&b.url).then(a.reference.cmp(&b.reference)));
    Ok(pages)
}

impl Studio {
    /// The pages once more, for work that reads a source from its beginning.
    pub(super) fn source(&self) -> Result<Source> {
        let name = self.source.as_ref().context("the pages are not here; name them with --pages SOURCE")?;
        Ok(Source::open(name, &SourceOptions { limits: self.options.limits, ..SourceOptions::default() })?)
    }
}
