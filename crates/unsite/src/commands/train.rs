//! `unsite train`: what the page experts' scores mean, learned from labelled sites.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::json;
use unsite::Exit;
use unsite_discover::evidence::Model;
use unsite_discover::experts::EXPERTS;
use unsite_discover::page_types::auto::{GoldTypes, train};
use unsite_dom::Limits;
use unsite_eval::gold_paths;

use super::gold_types::lessons;
use crate::cli::Global;
use crate::ui::{self, Grid};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Gold sites (.tar.zst) whose pages have types, and folders of them
    #[arg(required = true)]
    gold: Vec<PathBuf>,
    /// Where to write the model, as JSON; `--model` of other commands reads it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let paths = gold_paths(&args.gold)?;
    let mut progress = ui.progress();
    progress.stage("reading", Some(paths.len()));
    let gold = lessons(&paths, &Limits::default(), |_| progress.advance(1))?;
    drop(progress);
    let (within, between) = (counted(&gold, true), counted(&gold, false));
    if within == 0 || between == 0 {
        bail!(
            "nothing to learn from: {} labelled pairs within types and {} between types; \
             training needs gold sites whose pages carry `page_type`, with at least two types in one of them",
            within,
            between
        );
    }
    for site in gold.iter().filter(|site| site.pairs.is_empty()) {
        ui.warn(&format!("{} has no page types and teaches nothing", site.name));
    }
    let lessons: Vec<GoldTypes> = gold.into_iter().filter(|site| !site.pairs.is_empty()).collect();
    let model = train(&lessons, None);
    let text = serde_json::to_string(&model)? + "\n";
    fs::write(&args.output, text).with_context(|| format!("cannot write {}", args.output.display()))?;
    let weights = model.calibrate(&[true; EXPERTS.len()]).weights().to_vec();
    if ui.json {
        let experts: serde_json::Map<_, _> = EXPERTS
            .iter()
            .zip(&weights)
            .map(|(expert, weight)| (expert.name.to_owned(), json!(weight)))
            .collect();
        ui.print_json(&json!({
            "output": args.output, "sites": lessons.len(), "pairs_within": within, "pairs_between": between,
            "provenance": model.provenance, "weights": experts,
        }))?;
    } else if !ui.quiet {
        ui.print(&text_of(&model, &weights, lessons.len(), within + between, ui.width()))?;
        ui.hint(&format!("use it: unsite pages SOURCE --model {}", args.output.display()));
    }
    Ok(Exit::Done)
}

fn counted(gold: &[GoldTypes], same: bool) -> usize {
    gold.iter().flat_map(|site| &site.pairs).filter(|pair| pair.same == same).count()
}

/// What each expert's opinion is worth: its weight, and the log-odds of its lowest and highest scores.
fn text_of(model: &Model, weights: &[f64], sites: usize, pairs: usize, width: usize) -> String {
    let odds = |at: usize, score: f64| format!("{:+.1}", model.histograms[at].log_odds(Some(score)));
    let experts = || 0..EXPERTS.len();
    let mut grid = Grid::new(EXPERTS.len());
    grid.text("expert", usize::MAX, EXPERTS.iter().map(|expert| expert.name));
    grid.numbers("weight", weights.iter().map(|weight| format!("{weight:.2}")));
    grid.numbers("when unlike", experts().map(|at| odds(at, 0.05)));
    grid.numbers("half alike", experts().map(|at| odds(at, 0.5)));
    grid.numbers("when alike", experts().map(|at| odds(at, 0.95)));
    format!(
        "Learned from {} of {}\n{}\n",
        ui::counted(pairs as u64, "pair"),
        ui::counted(sites as u64, "site"),
        grid.lines(0, width).0.join("\n")
    )
}
