//! A run whose database nobody keeps: for commands that show or measure one part of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;
use unsite::{Exit, Options, Outcome, Progress};
use unsite_acquire::Source;
use unsite_dom::{Problem, ProblemKind};
use unsite_store::Output;

use crate::ui::{self, Ui};

/// A finished run and its database, which goes away with this value.
pub(crate) struct Scratch {
    pub outcome: Outcome,
    folder: TempDir,
}

impl Scratch {
    /// Runs into a temporary SQLite database.
    pub(crate) fn run(source: &Source, options: &Options, progress: &mut dyn Progress) -> Result<Scratch> {
        let folder =
            tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR to one with room")?;
        let output = Output::parse(database_in(folder.path()))?;
        let outcome = unsite::run(source, &output, options, progress)?;
        Ok(Scratch { outcome, folder })
    }

    /// The SQLite database.
    pub(crate) fn database(&self) -> PathBuf {
        database_in(self.folder.path())
    }

    /// How the command ends, with a warning if something could not be read.
    pub(crate) fn exit(&self, ui: Ui) -> Exit {
        if !self.outcome.is_partial() {
            return Exit::Done;
        }
        ui.warn(&format!("part of the source could not be read ({})", ui::problem_counts(&self.outcome)));
        Exit::Partial
    }
}

/// How a command ends that read a source, with a warning if something could not be read.
pub(crate) fn exit_after(ui: Ui, problems: &[Problem]) -> Exit {
    let is_loss =
        |problem: &&Problem| matches!(problem.kind, ProblemKind::Unreadable | ProblemKind::Truncated);
    let lost = problems.iter().filter(is_loss).count();
    if lost == 0 {
        return Exit::Done;
    }
    ui.warn(&format!("part of the source could not be read ({})", ui::counted(lost as u64, "problem")));
    Exit::Partial
}

/// [`Scratch::run`] with the usual progress display.
pub(crate) fn run_in_scratch(source: &Source, options: &Options, ui: Ui) -> Result<Scratch> {
    Scratch::run(source, options, ui.progress().as_mut())
}

fn database_in(folder: &Path) -> PathBuf {
    folder.join("site.db")
}
