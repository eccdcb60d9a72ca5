//! Errors as Python exceptions that say what happened, where, and what to do.

use pyo3::prelude::*;
use unsite::acquire::SourceError;
use unsite::pipeline::{Cancelled, NoPages};
use unsite::site::{NoPages as NothingToLearn, Refused};
use unsite::store::StoreError;
use unsite::wrapper::SavedError;

/// The kinds of exceptions, by their names in `unsite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Any,
    Source,
    NoPages,
    Page,
    Wrapper,
    Output,
    Repair,
    Edit,
    Cancelled,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Any => "UnsiteError",
            Kind::Source => "SourceError",
            Kind::NoPages => "NoPagesError",
            Kind::Page => "PageError",
            Kind::Wrapper => "WrapperError",
            Kind::Output => "OutputError",
            Kind::Repair => "RepairError",
            Kind::Edit => "EditError",
            Kind::Cancelled => "CancelledError",
        }
    }
}

/// An exception of the package.
pub(crate) fn raised(py: Python<'_>, kind: Kind, what: &str, place: &str, advice: &str) -> PyErr {
    let made = py
        .import("unsite._errors")
        .and_then(|errors| errors.getattr(kind.name())?.call1((what, place, advice)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An exception with a message that says what happened and then what to do.
pub(crate) fn said(py: Python<'_>, kind: Kind, message: &str, place: &str) -> PyErr {
    let (what, advice) = parts(message);
    raised(py, kind, what, place, advice)
}

/// The exception for an error of the pipeline.
pub(crate) fn of(py: Python<'_>, error: &anyhow::Error) -> PyErr {
    said(py, kind_of(error), &said_once(error), &place_of(error))
}

/// The exception for a wrapper that cannot be used.
pub(crate) fn of_saved(py: Python<'_>, error: &SavedError, place: &str) -> PyErr {
    said(py, Kind::Wrapper, &error.to_string(), place)
}

fn kind_of(error: &anyhow::Error) -> Kind {
    match () {
        () if error.is::<NoPages>() || error.is::<NothingToLearn>() => Kind::NoPages,
        () if error.is::<Cancelled>() => Kind::Cancelled,
        () if error.is::<Refused>() => Kind::Repair,
        () if found::<StoreError>(error).is_some() => Kind::Output,
        () if found::<SavedError>(error).is_some() => Kind::Wrapper,
        () => match found::<SourceError>(error) {
            Some(SourceError::NoPages { .. } | SourceError::Empty { .. }) => Kind::NoPages,
            Some(_) => Kind::Source,
            None => Kind::Any,
        },
    }
}

fn found<E: std::error::Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| cause.downcast_ref::<E>())
}

/// The file or the like that an error is about, where it says so.
fn place_of(error: &anyhow::Error) -> String {
    if let Some(none) = error.downcast_ref::<NoPages>() {
        return none.source_name.clone();
    }
    match found::<SourceError>(error) {
        Some(
            SourceError::NotFound { name }
            | SourceError::Unreadable { name, .. }
            | SourceError::Empty { name }
            | SourceError::NoPages { name, .. }
            | SourceError::UnknownFormat { name, .. },
        ) => return name.clone(),
        Some(SourceError::NeedsCrawl { url }) => return url.clone(),
        _ => {}
    }
    match found::<StoreError>(error) {
        Some(
            StoreError::Target { path, .. }
            | StoreError::Io { path, .. }
            | StoreError::DiskFull { path }
            | StoreError::Sqlite { path, .. }
            | StoreError::Changed { path }
            | StoreError::InUse { path }
            | StoreError::Broken { path },
        ) => path.display().to_string(),
        Some(StoreError::UnknownEnding { path }) => path.clone(),
        Some(StoreError::Record { reference, .. }) => reference.clone(),
        _ => String::new(),
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

/// Messages say what happened and then, behind a full stop or a semicolon, what to do.
fn parts(said: &str) -> (&str, &str) {
    let ends = [said.rfind("; ").map(|at| (at, 2)), said.find(". ").map(|at| (at, 2))];
    match ends.into_iter().flatten().min() {
        Some((at, length)) => (&said[..at], &said[at + length..]),
        None => (said, ""),
    }
}

/// The error of a wrapper file inside an error of the pipeline.
pub(crate) fn of_wrapper_file(error: &anyhow::Error) -> Option<&SavedError> {
    found::<SavedError>(error)
}

/// The exception for a wrapper file that cannot be opened or written.
pub(crate) fn of_file(py: Python<'_>, error: &anyhow::Error, place: &str) -> PyErr {
    said(py, Kind::Wrapper, &said_once(error), place)
}
