//! What people change by hand in a wrapper, from Python.

use std::fs;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use serde_json::json;
use unsite::site::Wrapper as SiteWrapper;
use unsite::site::edits::{Edit, EditError, Step, Unmade};

use crate::errors::{Kind, raised, said};
use crate::json as to;
use crate::pages::path_of;
use crate::wrapper::Wrapper;

/// A file of edits that is larger is none.
const LARGEST: u64 = 64 << 20;

/// The edits of a file, a dict, a list of dicts, or of what `unsite edit --json` prints.
pub(crate) fn given(py: Python<'_>, edits: &Bound<'_, PyAny>) -> PyResult<Vec<Step>> {
    let wrong = |what: &str, place: &str| {
        let advice =
            r#"Give a list such as [{"drop_table": {"table": "nav"}}]; docs/studio.md lists all edits"#;
        raised(py, Kind::Edit, what, place, advice)
    };
    let (text, place) = match path_of(edits)? {
        Some(path) => {
            let read = fs::metadata(&path).and_then(|file| match file.len() > LARGEST {
                true => Err(std::io::Error::other("it is too large for a list of edits")),
                false => fs::read_to_string(&path),
            });
            (read.map_err(|error| wrong(&format!("{path} cannot be read: {error}"), &path))?, path)
        }
        None => {
            let is_one = edits.is_instance_of::<PyDict>() && !edits.contains("edits")?;
            let list = if is_one { PyList::new(py, [edits])?.into_any() } else { edits.clone() };
            let dumped = py.import("json")?.getattr("dumps")?.call1((list,));
            let text = dumped.map_err(|error| wrong(&format!("that is no list of edits: {error}"), ""))?;
            (text.extract()?, String::new())
        }
    };
    let value =
        serde_json::from_str(&text).map_err(|error| wrong(&format!("that is not JSON: {error}"), &place))?;
    Step::all_of(value).map_err(|error| refused(py, &error, &place))
}

/// What becomes what, in the order of the mapping.
pub(crate) fn pairs(mapping: &Bound<'_, PyMapping>) -> PyResult<Vec<(String, String)>> {
    mapping.items()?.extract()
}

/// Edits that were put together here.
pub(crate) fn steps(py: Python<'_>, edits: Vec<Result<Edit, EditError>>) -> PyResult<Vec<Step>> {
    let step = |edit: Result<Edit, EditError>| edit.map(Step::from).map_err(|error| refused(py, &error, ""));
    edits.into_iter().map(step).collect()
}

/// A wrapper with more edits: all of them, or an exception for the first that cannot be made.
pub(crate) fn made(py: Python<'_>, wrapper: &SiteWrapper, steps: Vec<Step>) -> PyResult<Wrapper> {
    match py.detach(|| wrapper.edit(steps)) {
        Ok(edited) => Wrapper::of(py, edited),
        Err(unmade) => Err(refused(py, &unmade.why, &unmade.edit)),
    }
}

/// A wrapper with more edits in its log, made as far as they can be; the others are warned of.
pub(crate) fn replayed(py: Python<'_>, wrapper: &SiteWrapper, steps: Vec<Step>) -> PyResult<Wrapper> {
    let edits = wrapper.saved().edits.iter().cloned().chain(steps).collect();
    let wrapper = py.detach(|| wrapper.with_edits(edits));
    warn_of_unmade(py, &wrapper)?;
    Wrapper::of(py, wrapper)
}

/// A wrapper without the last edits of its log.
pub(crate) fn undone(py: Python<'_>, wrapper: &SiteWrapper, count: usize) -> PyResult<Wrapper> {
    let edits = &wrapper.saved().edits;
    match edits.len().checked_sub(count) {
        Some(left) => Wrapper::of(py, wrapper.with_edits(edits[..left].to_vec())),
        None => Err(too_few(py, &format!("{count} edits cannot be undone"), edits.len())),
    }
}

/// A wrapper without the edit of a number, counted from 1.
pub(crate) fn forgotten(py: Python<'_>, wrapper: &SiteWrapper, number: usize) -> PyResult<Wrapper> {
    let mut edits = wrapper.saved().edits.clone();
    if number == 0 || number > edits.len() {
        return Err(too_few(py, &format!("there is no edit {number}"), edits.len()));
    }
    edits.remove(number - 1);
    Wrapper::of(py, wrapper.with_edits(edits))
}

/// Edits that cannot be made, as Python has them.
pub(crate) fn not_made<'py>(py: Python<'py>, unmade: &[Unmade]) -> PyResult<Bound<'py, PyAny>> {
    let list = unmade.iter();
    let list = list.map(|one| json!({"number": one.at + 1, "edit": one.edit, "why": one.why.to_string()}));
    to::to_python(py, &list.collect())
}

/// Warns of edits that are not made.
pub(crate) fn warn_of_unmade(py: Python<'_>, wrapper: &SiteWrapper) -> PyResult<()> {
    let Some(first) = wrapper.unmade().first() else { return Ok(()) };
    let more = match wrapper.unmade().len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let told = format!(
        "edit {} is not made ({}): {}{more}; they stay in the log: see Wrapper.not_made and Wrapper.forget",
        first.at + 1,
        first.edit,
        first.why
    );
    let category = py.import("unsite._errors")?.getattr("EditWarning")?;
    py.import("warnings")?.call_method1("warn", (told, category))?;
    Ok(())
}

fn refused(py: Python<'_>, error: &EditError, place: &str) -> PyErr {
    said(py, Kind::Edit, &error.to_string(), place)
}

fn too_few(py: Python<'_>, what: &str, known: usize) -> PyErr {
    raised(py, Kind::Edit, what, "", &format!("The log has {known} edits; see Wrapper.edits"))
}
