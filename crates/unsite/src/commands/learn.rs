//! `unsite learn`: discover only, and keep what was learned.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite::pipeline::{Classifier, learn_wrapper, may_write_wrapper, read_wrapper, write_wrapper};
use unsite_dom::ProblemKind;
use unsite_wrapper::edits::Step;

use super::{by_hand, show};
use crate::cli::{Discovery, Global};
use crate::ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// Where to keep what was learned
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    /// Also keep what this way to recognise pages needs
    #[arg(long, value_name = "NAME", default_value = "marks")]
    classifier: ClassifierName,
    /// Forget what was changed by hand in the wrapper that is there; without it the changes are made again
    #[arg(long)]
    forget_edits: bool,
    #[command(flatten)]
    discovery: Discovery,
}

/// How pages are recognised, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ClassifierName {
    /// By everything that marks a page: address, names on its body, paths, words around its title
    Marks,
    /// By its nearest neighbours under the Fourier distance
    Fourier,
}

impl From<ClassifierName> for Classifier {
    fn from(name: ClassifierName) -> Self {
        match name {
            ClassifierName::Marks => Classifier::Marks,
            ClassifierName::Fourier => Classifier::Fourier,
        }
    }
}

/// What people changed by hand in the wrapper that is learned again.
fn known_edits(path: &Path) -> Result<Vec<Step>> {
    match read_wrapper(path) {
        Ok(saved) => Ok(saved.edits),
        Err(error) if fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(EDITS)) => {
            Err(error.context("what was changed by hand would be lost; --forget-edits learns without it"))
        }
        Err(_) => Ok(Vec::new()),
    }
}

/// How the log begins in a wrapper file.
const EDITS: &str = "\n \"edits\": [";

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    may_write_wrapper(&args.wrapper)?;
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let edits = if args.forget_edits { Vec::new() } else { known_edits(&args.wrapper)? };
    let mut taught = learn_wrapper(&source, &options, args.classifier.into(), ui.progress().as_mut())?;
    taught.saved.edits = edits;
    write_wrapper(&args.wrapper, &taught.saved)?;
    by_hand::edited(&taught.saved, ui);
    let path = args.wrapper.display();
    if ui.json {
        let mut value = show::json(&taught.saved);
        value["wrapper"] = json!(args.wrapper);
        value["problems"] = json!(taught.problems);
        ui.print_json(&value)?;
    } else if !ui.quiet {
        let mut text = show::overview(&taught.saved, ui.width());
        text += &format!("\nWritten to {}\n", ui::printable(&path.to_string()));
        ui.print(&text)?;
    }
    ui.hint(&format!("look at it: unsite show -w {path}"));
    ui.hint(&format!("use it: unsite extract SOURCE -w {path} -o site.db"));
    let partial = [ProblemKind::Unreadable, ProblemKind::Truncated];
    if partial.iter().any(|kind| taught.problems.contains_key(kind.name())) {
        ui.warn(&ui::unread(&taught.problems));
        return Ok(Exit::Partial);
    }
    Ok(Exit::Done)
}
