//! `unsite gate`: the measures against floors that only rise.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite_eval::gate::{Action, Floors, GateOptions, gate};

use super::eval::observe;
use crate::cli::{Discovery, Global};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The committed file of floors
    #[arg(long, value_name = "FILE", default_value = "floors.json")]
    floors: PathBuf,
    /// The folder with a folder of gold sites for each suite
    #[arg(long, value_name = "FOLDER", default_value = "../shared/data")]
    data: PathBuf,
    /// Only these suites; several with commas
    #[arg(long = "suite", value_name = "NAME", value_delimiter = ',')]
    suites: Vec<String>,
    /// Raise the floors to what is measured
    #[arg(long, conflicts_with = "lower")]
    raise: bool,
    /// Lower one floor, as in swde/swde.f1=0.9; needs --reason
    #[arg(long, value_name = "KEY=VALUE", requires = "reason")]
    lower: Option<String>,
    /// Why a floor is lowered; stays in the file
    #[arg(long, value_name = "TEXT", requires = "lower")]
    reason: Option<String>,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    if let (Some(change), Some(reason)) = (&args.lower, &args.reason) {
        return lower(args, change, reason, global);
    }
    if !args.data.is_dir() {
        ui.print(&format!("gate skipped: there is no labelled data at {}\n", args.data.display()))?;
        return Ok(Exit::Done);
    }
    let options = args.discovery.options(global);
    let action = if args.raise { Action::Raise } else { Action::Check };
    let wanted = GateOptions {
        floors: args.floors.clone(),
        data: args.data.clone(),
        suites: args.suites.clone(),
        action,
    };
    let mut progress = ui.progress();
    progress.stage("measuring", None);
    let outcome = gate(&wanted, |path, meta| {
        progress.advance(1);
        observe(path, meta, &args.discovery, &options, &[])
    })?;
    drop(progress);
    match ui.json {
        true => ui.print_json(&json!(outcome))?,
        false => ui.print(&outcome.text())?,
    }
    if outcome.passed() {
        return Ok(Exit::Done);
    }
    ui.hint("`unsite eval` with -v shows what went wrong; a floor is lowered only with --lower and --reason");
    Ok(Exit::Error)
}

fn lower(args: &Args, change: &str, reason: &str, global: &Global) -> Result<Exit> {
    let parsed = change.split_once('=').and_then(|(key, value)| Some((key, value.parse::<f64>().ok()?)));
    let Some((key, value)) = parsed else {
        anyhow::bail!("{change:?} is not of the form KEY=VALUE, as in swde/swde.f1=0.9");
    };
    let mut floors = Floors::load(&args.floors)?;
    let moved = floors.lower(key, value, reason)?;
    floors.save(&args.floors)?;
    let ui = global.ui();
    match ui.json {
        true => ui.print_json(&json!(moved))?,
        false => ui.print(&format!(
            "{key} lowered from {:.3} to {:.3}\n",
            moved.from.unwrap_or_default(),
            moved.to
        ))?,
    }
    Ok(Exit::Done)
}
