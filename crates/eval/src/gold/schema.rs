//! The tables behind a labelled site.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::EvalError;

/// The tables behind a site, by name.
pub type TrueSchema = BTreeMap<String, TrueTable>;

/// One of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct TrueTable {
    /// Its columns; `*` stands for all that the labels name.
    pub columns: Vec<String>,
    /// The labels that state it: `PAGE_TYPE.fields` is one row a page, `PAGE_TYPE.records` one row a record.
    pub from: Vec<String>,
}

/// The file with the tables behind the sites, beside the folders of the suites.
const FILE: &str = "schemas.json";

/// Reads what `schemas.json` beside the suite of a gold site says of it; nothing where there is no such file or no such site.
pub(super) fn read(site: &Path, name: &str) -> Result<Option<TrueSchema>, EvalError> {
    let Some(folder) = site.parent().and_then(Path::parent) else { return Ok(None) };
    let path = folder.join(FILE);
    let Ok(text) = std::fs::read(&path) else { return Ok(None) };
    let wrong = |what: String| EvalError::Gold { path: path.clone(), what };
    let mut all: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    let Some(schema) = all.remove(name) else { return Ok(None) };
    serde_json::from_value(schema).map(Some).map_err(|error| wrong(format!("{name}: {error}")))
}
