//! What the experts on page types say about the page of a receipt: the types are found again, as the run found them.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;
use unsite::pipeline::{self, Options};
use unsite_acquire::Source;
use unsite_discover::Site;
use unsite_discover::page_types::auto::Typing;
use unsite_dom::{RawPage, Tree};

use super::why_page::json_of;
use crate::ui::Ui;

/// How the types of a database were found, so that they can be found again; `None` where no experts were asked.
pub(crate) fn options(db: &Connection) -> Option<Options> {
    let said = |key: &str| {
        let sql = "SELECT value FROM _meta WHERE key = ?";
        db.query_row(sql, [key], |row| row.get::<_, Option<String>>(0)).optional().ok().flatten().flatten()
    };
    let mut options = Options::default();
    // A method, a model or a log of searches that cannot be told from its name alone would give other types.
    if said("method")? != options.method.name || said("model").is_some() || said("search_log").is_some() {
        return None;
    }
    let number = |key: &str| said(key).and_then(|text| text.parse::<usize>().ok());
    let names = |key: &str| -> Vec<String> {
        said(key).map(|text| text.split(',').map(str::to_owned).collect()).unwrap_or_default()
    };
    options.seed = said("seed")?.parse().ok()?;
    options.sample = number("sample")?;
    options.limits.page_bytes = number("max_page_bytes")?;
    options.limits.depth = number("max_depth")?;
    options.limits.nodes = number("max_nodes")?;
    options.page_types.k = number("types");
    options.page_types.only = names("only");
    options.page_types.without = names("without");
    Some(options)
}

/// Each expert's opinion of the page, as `why-page` gives them; `None` where the types that are found are not those of
/// the database, as for one that was extracted with a wrapper.
pub(crate) fn opinions(
    source: &Source,
    page: &RawPage,
    page_type: &str,
    options: &Options,
    ui: Ui,
) -> Result<Option<Value>> {
    let mut progress = ui.progress();
    let sampled = pipeline::sample(source, options, progress.as_mut())?;
    progress.stage("parsing", Some(sampled.pages.len()));
    let site = Site::parse(sampled.pages, &options.limits);
    progress.stage("asking the experts", None);
    let typing = Typing::of(&site, &options.page_type_options());
    drop(progress);
    let known = site.pages.iter().position(|other| other.raw.reference == page.reference);
    let why = match known {
        Some(at) => typing.why(&site, at),
        None => {
            let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
            typing.why_further(&page.url, &tree)
        }
    };
    let Some(why) = why else { return Ok(None) };
    let same = why.page_type.is_some_and(|at| typing.types[at].name == page_type);
    Ok(same.then(|| json_of(&page.url, &typing, &why)))
}
