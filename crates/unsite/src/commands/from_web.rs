//! `unsite run` on a web address: a crawl, or questions to a search form, into an archive first.

use std::path::Path;

use anyhow::{Result, anyhow};
use unsite::Exit;
use unsite_acquire::crawl::Place;
use unsite_acquire::probe::ProbeOptions;
use unsite_store::Output;

use super::crawl;
use super::probe::{self, ProbeArgs};
use crate::browser_args::BrowserArgs;
use crate::cli::Global;
use crate::fetch_args::{CrawlArgs, FetchArgs, web_address};

/// How the pages of an address are had.
#[derive(clap::Args)]
pub(super) struct WebArgs {
    /// Ask the site's search form instead of following its links
    #[arg(long)]
    probe: bool,
    #[command(flatten)]
    crawling: CrawlArgs,
    #[command(flatten)]
    probing: ProbeArgs,
    #[command(flatten)]
    rendering: BrowserArgs,
    #[command(flatten)]
    fetching: FetchArgs,
}

/// How fetching ended.
#[derive(PartialEq)]
pub(super) enum Fetched {
    /// Everything is there.
    All,
    /// Some pages are not, and the reason was given; the others are worth reading.
    Part,
    /// It ended before it was over.
    NoGoingOn(Exit),
}

/// Crawls or probes into an archive beside the output.
pub(super) fn acquire(
    source: &str,
    args: &WebArgs,
    archive: &Path,
    output: &Output,
    global: &Global,
) -> Result<Fetched> {
    let ui = global.ui();
    let url = web_address(source).map_err(|message| anyhow!("{source}: {message}"))?;
    if args.probe {
        let most = args.crawling.max_pages().unwrap_or(ProbeOptions::default().max_pages as u64);
        let options = args.probing.options(global.seed, most);
        let report = probe::probe_into(archive, &url, &options, &args.fetching, &args.rendering, ui)?;
        let over = report.results == 0 || report.ended.is_partial();
        return Ok(match over {
            true => Fetched::NoGoingOn(probe::conclude(ui, &report, archive)),
            false => Fetched::All,
        });
    }
    let place = Place::parse(archive)?;
    let report =
        crawl::crawl_into(&place, &args.crawling.options(url), &args.fetching, &args.rendering, ui, false)?;
    if report.end.is_partial() || report.pages == 0 {
        let exit = crawl::conclude(ui, &report, archive);
        if report.pages > 0 {
            let (archive, output) = (archive.display(), output.path().display());
            ui.hint(&format!("with the pages so far: unsite run {archive} -o {output}"));
        }
        return Ok(Fetched::NoGoingOn(exit));
    }
    crawl::warn_of_missing(ui, &report);
    Ok(if report.is_partial() { Fetched::Part } else { Fetched::All })
}
