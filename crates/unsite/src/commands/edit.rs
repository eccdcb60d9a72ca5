//! `unsite edit`: changes by hand that a wrapper keeps.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{read_wrapper, write_wrapper};
use unsite_wrapper::SavedWrapper;
use unsite_wrapper::edits::{Edit, Step};

use crate::cli::Global;
use crate::ui::{self, Ui};

/// A file of edits that is larger is none.
const LARGEST: u64 = 64 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "Names are those of the tables behind the site (unsite tables FILE). Every flag can be given several\n\
                        times; they name things as they are called before the command, renaming comes last.\n\
                        EDITS is a JSON list such as [{\"rename_column\": {\"table\": \"book\", \"column\": \"now\",\n\
                        \"to\": \"price\"}}]; docs/studio.md lists all edits. --json prints the log in that form."
)]
pub(crate) struct Args {
    /// The wrapper file
    wrapper: PathBuf,
    /// A file with edits as JSON; - for standard input
    edits: Option<PathBuf>,
    /// Another name: TABLE=NAME, TABLE.COLUMN=NAME or type:PAGETYPE=NAME
    #[arg(long, value_name = "WHAT=NAME")]
    rename: Vec<String>,
    /// Of no interest, not read any more: TABLE, TABLE.COLUMN or type:PAGETYPE
    #[arg(long, value_name = "WHAT")]
    drop: Vec<String>,
    /// Shown although it is kept out of sight: TABLE or TABLE.COLUMN
    #[arg(long, value_name = "WHAT")]
    restore: Vec<String>,
    /// One into another: TABLE=INTO, TABLE.COLUMN=INTO (a column of the same table) or type:PAGETYPE=INTO
    #[arg(long, value_name = "WHAT=INTO")]
    merge: Vec<String>,
    /// Parts of a column as columns of their own: TABLE.COLUMN=TEXT:NAME,NAME cuts where TEXT stands
    #[arg(long, value_name = "WHAT")]
    split: Vec<String>,
    /// What the values of a column are: TABLE.COLUMN=TYPE (text, integer, money, date, date_day_first, ...)
    #[arg(long = "type", value_name = "COLUMN=TYPE")]
    types: Vec<String>,
    /// A value that is left out wherever it stands: TABLE.COLUMN=VALUE
    #[arg(long, value_name = "COLUMN=VALUE")]
    wrong: Vec<String>,
    /// The rows of a table are no rows: their values belong to what is around them
    #[arg(long, value_name = "TABLE")]
    not_rows: Vec<String>,
    /// Take the last edits out of the log again
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", default_value_t = 0, hide_default_value = true)]
    undo: usize,
    /// Take the edit of this number out of the log
    #[arg(long, value_name = "NUMBER")]
    forget: Option<usize>,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let mut saved = read_wrapper(&args.wrapper)?;
    let before = saved.edits.clone();
    take_out(args, &mut saved)?;
    let mut steps = from_flags(args)?;
    if let Some(path) = &args.edits {
        steps.extend(from_file(path)?);
    }
    saved.edit(steps).map_err(|unmade| {
        anyhow::anyhow!(
            "nothing was changed: {}: {}",
            ui::printable(&unmade.edit),
            ui::printable(&unmade.why.to_string())
        )
    })?;
    let changed = saved.edits != before;
    if changed {
        write_wrapper(&args.wrapper, &saved)?;
    }
    match ui.json {
        true => ui.print_json(&log_json(&saved))?,
        false if !ui.quiet => ui.print(&log_text(&saved))?,
        false => {}
    }
    told(&saved, changed, &args.wrapper, ui);
    Ok(Exit::Done)
}

fn told(saved: &SavedWrapper, changed: bool, path: &Path, ui: Ui) {
    super::by_hand::edited(saved, ui);
    if changed {
        let path = path.display();
        ui.hint(&format!(
            "extract, check, repair and export do as it says: unsite extract SOURCE -w {path} -o site.db"
        ));
    }
}

fn take_out(args: &Args, saved: &mut SavedWrapper) -> Result<()> {
    let known = saved.edits.len();
    if args.undo > known {
        bail!("the log has {}", ui::counted(known as u64, "edit"));
    }
    if let Some(number) = args.forget {
        if number == 0 || number > known {
            bail!("there is no edit {number}; the log has {}", ui::counted(known as u64, "edit"));
        }
        saved.edits.remove(number - 1);
    }
    saved.undo(args.undo);
    Ok(())
}

/// The edits that a file holds: a list of them, or what `unsite edit --json` printed.
pub(crate) fn from_file(path: &Path) -> Result<Vec<Step>> {
    let name = path.display();
    let text = match path.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()).context("cannot read standard input")?,
        false => {
            let size = fs::metadata(path).with_context(|| format!("cannot open {name}"))?.len();
            if size > LARGEST {
                bail!("{name} is larger than {} MiB, which no list of edits is", LARGEST >> 20);
            }
            fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?
        }
    };
    let value: Value = serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))?;
    Step::all_of(value).with_context(|| format!("{name} holds no edits"))
}

fn from_flags(args: &Args) -> Result<Vec<Step>> {
    let mut edits = Vec::new();
    for text in &args.restore {
        edits.push(Edit::restore(text).with_context(|| format!("--restore {text:?}"))?);
    }
    for table in &args.not_rows {
        edits.push(Edit::NotRows { table: table.clone() });
    }
    for text in &args.merge {
        let (from, into) = pair(text, "--merge", "book.amount=price")?;
        edits.push(Edit::merge(&from, &into));
    }
    for text in &args.split {
        let example = "book.author=\" and \":first,second";
        let (what, how) = pair(text, "--split", example)?;
        let Some((at, into)) = how.rsplit_once(':') else {
            bail!("--split {text:?} says not what to split how; write it as --split {example}");
        };
        let into = into.split(',').map(str::to_owned).collect();
        edits.push(Edit::split(&what, at, into).with_context(|| format!("--split {text:?}"))?);
    }
    for text in &args.types {
        let (what, to) = pair(text, "--type", "book.price=money")?;
        edits.push(Edit::retype(&what, &to).with_context(|| format!("--type {text:?}"))?);
    }
    for text in &args.wrong {
        let (what, value) = pair(text, "--wrong", "book.price=N/A")?;
        edits.push(Edit::wrong(&what, &value, None).with_context(|| format!("--wrong {text:?}"))?);
    }
    edits.extend(args.drop.iter().map(|text| Edit::drop(text)));
    let names = args.rename.iter().map(|text| pair(text, "--rename", "book.now=price"));
    edits.extend(Edit::rename_all(names.collect::<Result<Vec<_>>>()?));
    Ok(edits.into_iter().map(Step::from).collect())
}

fn pair(text: &str, flag: &str, example: &str) -> Result<(String, String)> {
    match text.split_once('=') {
        Some((what, to)) if !what.is_empty() && !to.is_empty() => Ok((what.to_owned(), to.to_owned())),
        _ => bail!("{flag} {text:?} says not what becomes what; write it as {flag} {example}"),
    }
}

/// The log for programs: what `unsite edit` takes.
pub(crate) fn log_json(saved: &SavedWrapper) -> Value {
    let unmade: Vec<Value> = saved
        .edited()
        .unmade
        .iter()
        .map(|unmade| json!({"number": unmade.at + 1, "edit": unmade.edit, "why": unmade.why.to_string()}))
        .collect();
    json!({"edits": saved.edits, "not_made": unmade})
}

fn log_text(saved: &SavedWrapper) -> String {
    if saved.edits.is_empty() {
        return "Nothing was changed by hand.\n".into();
    }
    let lines = saved.edits.iter().enumerate();
    lines.map(|(at, step)| format!("{:4}  {}\n", at + 1, ui::printable(&step.edit.to_string()))).collect()
}
