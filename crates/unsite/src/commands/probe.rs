//! `unsite probe`: questions a search form and keeps the answers.

use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result, bail};
use unsite::Exit;
use unsite_acquire::archive::ArchiveWriter;
use unsite_acquire::fetch::{Fetcher, Stop};
use unsite_acquire::probe::{
    ProbeEvent, ProbeOptions, ProbeReport, ProbeTools, SiteRules, probe, probe_languages,
};
use url::Url;

use crate::browser_args::BrowserArgs;
use crate::cli::Global;
use crate::fetch_args::{FetchArgs, web_address};
use crate::ui::{self, Ui};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The page with the search form, or one that leads to it
    #[arg(value_parser = web_address)]
    url: Url,
    /// Where to write: pages.warc.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Pages to fetch at most, all pages of results included
    #[arg(long, value_name = "N", default_value_t = ProbeOptions::default().max_pages as u64)]
    max_pages: u64,
    #[command(flatten)]
    probing: ProbeArgs,
    #[command(flatten)]
    rendering: BrowserArgs,
    #[command(flatten)]
    fetching: FetchArgs,
}

/// What is asked.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Probing")]
pub(crate) struct ProbeArgs {
    /// The form to take instead of the likeliest: its number from 1, id, name or action
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
    /// Words to ask for, from lists and from answers
    #[arg(long, value_name = "N", default_value_t = ProbeOptions::default().words)]
    words: usize,
    /// Nonsense words to ask for, which show what the site says when nothing matches
    #[arg(long, value_name = "N", default_value_t = ProbeOptions::default().nonsense)]
    nonsense: usize,
    /// The language of the first words instead of the page's own
    #[arg(long, value_name = "CODE", value_parser = language)]
    language: Option<String>,
    /// Pages of results to read for one word
    #[arg(long, value_name = "N", default_value_t = ProbeOptions::default().pages_per_query)]
    pages_per_query: usize,
    /// Answers in a row that may bring nothing new before it ends
    #[arg(long, value_name = "N", default_value_t = ProbeOptions::default().patience)]
    patience: usize,
}

impl ProbeArgs {
    pub(crate) fn options(&self, seed: u64, max_pages: u64) -> ProbeOptions {
        ProbeOptions {
            form: self.form.clone(),
            words: self.words,
            nonsense: self.nonsense,
            seed,
            language: self.language.clone(),
            max_pages: usize::try_from(max_pages).unwrap_or(usize::MAX),
            pages_per_query: self.pages_per_query,
            patience: self.patience,
        }
    }
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let options = args.probing.options(global.seed, args.max_pages);
    let report = probe_into(&args.output, &args.url, &options, &args.fetching, &args.rendering, ui)?;
    if ui.json {
        let mut json = serde_json::to_value(&report)?;
        json["archive"] = args.output.display().to_string().into();
        json["classes"] = ui::probe_classes_json(&report);
        ui.print_json(&json)?;
    } else if !ui.quiet {
        ui.print(&ui::probe_text(&report, &args.output, ui.width()))?;
    }
    Ok(conclude(ui, &report, &args.output))
}

/// Probes with everything around it: Ctrl-C, robots.txt, the display.
pub(crate) fn probe_into(
    archive: &Path,
    url: &Url,
    options: &ProbeOptions,
    fetching: &FetchArgs,
    rendering: &BrowserArgs,
    ui: Ui,
) -> Result<ProbeReport> {
    let name = archive.to_string_lossy();
    if !name.ends_with(".warc.gz") {
        bail!("{name}: a probe writes a WARC file; give it a name that ends in .warc.gz");
    }
    let fetching = fetching.options();
    let browser = rendering.start(&fetching, ui)?;
    let stop = Stop::default();
    stop.on_interrupt(|| process::exit(i32::from(Exit::Interrupted.code())))?;
    let fetcher = Fetcher::new(fetching, stop)?;
    let rules = SiteRules::ask(&fetcher, url)?;
    let mut writer = match ArchiveWriter::create(archive, &[]) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{name} is there already; -o names another file, or move it away")
        }
        other => other.with_context(|| format!("cannot write {name}"))?,
    };
    let mut display = ui::ProbeDisplay::new(ui);
    let tools = ProbeTools {
        fetcher: &fetcher,
        archive: &mut writer,
        browser: browser.as_ref(),
        allowed: &|url: &Url| rules.allowed(url),
    };
    let result = probe(url, options, tools, &mut |event: &ProbeEvent<'_>| display.show(event));
    display.end();
    writer.sync()?;
    if result.is_err() {
        // Nothing but the way to a form that is not there: not worth keeping, and in the way of the next try.
        let _ = std::fs::remove_file(archive);
    }
    Ok(result?)
}

/// What to do next, and how it ended.
pub(crate) fn conclude(ui: Ui, report: &ProbeReport, archive: &Path) -> Exit {
    for problem in report.problems.iter().take(3) {
        ui.warn(problem);
    }
    if report.ended.is_partial() {
        ui.warn(&format!("{}; everything saved so far is good", report.ended.sentence()));
    } else if report.results == 0 {
        ui.warn("no query had a result; --form takes another form, --language other words");
        return Exit::NothingFound;
    }
    if report.results > 0 {
        ui.hint(&format!("what is in it: unsite run {} -o site.db", archive.display()));
    }
    if report.ended.is_partial() { Exit::Partial } else { Exit::Done }
}

fn language(text: &str) -> Result<String, String> {
    let known: Vec<&str> = probe_languages().collect();
    match known.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there are words in {}", known.join(", "))),
    }
}
