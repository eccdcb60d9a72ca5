//! `unsite eval`: the measures of the papers on labelled sites.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::Result;
use serde_json::json;
use unsite::{Exit, Options, Progress};
use unsite_eval::{
    Detail, EvalError, GoldSite, Meta, MethodError, Observed, Report, Set, SiteScore, evaluate_site,
    gold_paths,
};

use super::answers;
use super::complete;
use super::gold_types;
use super::scratch::Scratch;
use super::single_pages;
use crate::cli::{Discovery, Global, Published};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Gold sites (.tar.zst) and folders of them; with --set complete any source
    #[arg(required = true)]
    gold: Vec<PathBuf>,
    /// What to measure: fields, swde, open, records, pages, roles, main-text, forms, regions,
    /// pagelets; several with commas. complete, alone, needs no labels: the share of what varies that lies in a cell
    #[arg(long = "set", value_name = "SET", default_value = "fields", value_delimiter = ',')]
    sets: Vec<Set>,
    /// Also every target with the column that served it, and what went wrong
    #[arg(short, long)]
    verbose: bool,
    /// Also what it costs a person to get at the labelled fields: bits a field, as the CONFHEX thesis counts them
    #[arg(long)]
    effort: bool,
    /// Sites that are measured at one time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Train the page experts anew for each site, on the other sites given; other designs of it are left out too
    #[arg(long)]
    leave_one_out: bool,
    /// Further gold sites and folders to train on, several with commas; they are not measured
    #[arg(long, value_name = "GOLD", value_delimiter = ',', requires = "leave_one_out")]
    train_on: Vec<PathBuf>,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let options = Options { data_method: args.published.method(), ..args.discovery.options(global) };
    if args.sets.contains(&Set::Complete) {
        return complete::run(&args.gold, &args.sets, &args.discovery, &options, ui);
    }
    let paths = gold_paths(&args.gold)?;
    let models = match args.leave_one_out {
        true => gold_types::models(&paths, &gold_paths(&args.train_on)?, &options.limits)?,
        false => Default::default(),
    };
    let method = |path: &Path, meta: &Meta| {
        let mut options: Options = options.clone();
        if let Some(model) = models.get(path) {
            options.page_types.model = Some(Arc::clone(model));
        }
        observe(path, meta, &args.discovery, &options, &args.sets)
    };
    let reports = measure(&paths, &args.sets, args.jobs, method, ui.progress().as_mut())?;
    let failed = reports.iter().flat_map(|report| &report.sites).any(|site| site.failure.is_some());
    if ui.json {
        let reports: Vec<_> = reports.iter().map(Report::json).collect();
        ui.print_json(&json!({"method": options.method.name, "seed": options.seed, "reports": reports}))?;
    } else {
        let detail = if args.verbose { Detail::Targets } else { Detail::Sites };
        let texts: Vec<String> = reports
            .iter()
            .map(|report| {
                report.text(detail) + &if args.effort { report.effort_text() } else { String::new() }
            })
            .collect();
        ui.print(&texts.join("\n"))?;
    }
    if reports.iter().all(|report| report.sites.is_empty()) {
        return Ok(Exit::NothingFound);
    }
    Ok(if failed { Exit::Error } else { Exit::Done })
}

/// Runs on one gold site; only its pages are read.
pub(crate) fn observe(
    path: &Path,
    meta: &Meta,
    discovery: &Discovery,
    options: &Options,
    sets: &[Set],
) -> Result<Observed, MethodError> {
    let run = || -> Result<Observed> {
        let source = discovery.open(&path.to_string_lossy())?;
        let options = &Options { main_text: sets.contains(&Set::Regions), ..options.clone() };
        let scratch = Scratch::run(&source, options, &mut ())?;
        let mut observed = Observed::from_database(&scratch.database())?;
        single_pages::add_to(&mut observed, &source, &options.limits, meta)?;
        if sets.contains(&Set::Pagelets) {
            observed.pagelets = Some(answers::observed(&source, options)?);
        }
        Ok(observed)
    };
    run().map_err(Into::into)
}

/// For each set the score of one site, where it has labels.
type Scored = Result<Vec<Option<SiteScore>>, EvalError>;

/// Measures sites, `jobs` at one time; the reports are in the order of `paths` whatever finishes first.
fn measure(
    paths: &[PathBuf],
    sets: &[Set],
    jobs: usize,
    method: impl Fn(&Path, &Meta) -> Result<Observed, MethodError> + Sync,
    progress: &mut dyn Progress,
) -> Result<Vec<Report>> {
    progress.stage("measuring", Some(paths.len()));
    let next = AtomicUsize::new(0);
    let (sender, finished) = mpsc::channel();
    let mut done: Vec<(usize, Scored)> = std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, paths.len().max(1)) {
            let (sender, next, method) = (sender.clone(), &next, &method);
            scope.spawn(move || {
                while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < paths.len())
                {
                    let scored = GoldSite::load(&paths[at]).map(|site| evaluate_site(&site, sets, method));
                    // Nobody listens any more when the command is about to end with an error.
                    let _ = sender.send((at, scored));
                }
            });
        }
        drop(sender);
        finished.iter().inspect(|_| progress.advance(1)).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    let mut sites: Vec<Vec<SiteScore>> = sets.iter().map(|_| Vec::new()).collect();
    for (_, scored) in done {
        for (all, score) in sites.iter_mut().zip(scored?) {
            all.extend(score);
        }
    }
    Ok(sets.iter().zip(sites).map(|(&set, sites)| Report::new(set, sites)).collect())
}
