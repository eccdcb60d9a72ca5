//! `unsite crawl`: pages of a site into an archive.

use std::path::{Path, PathBuf};
use std::process;

use anyhow::Result;
use unsite::Exit;
use unsite_acquire::crawl::{self, CrawlOptions, End, Mode, Place, Report};
use unsite_acquire::fetch::{Fetcher, Stop};
use url::Url;

use crate::browser_args::BrowserArgs;
use crate::cli::Global;
use crate::fetch_args::{CrawlArgs, FetchArgs, web_address};
use crate::ui::{self, Ui};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to start
    #[arg(value_parser = web_address)]
    url: Url,
    /// Where to write: pages.warc.gz, pages.wacz, or a folder/ as Browsertrix writes it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print the address of each page as soon as it is safe on the disk
    #[arg(long)]
    print_saved: bool,
    #[command(flatten)]
    crawling: CrawlArgs,
    #[command(flatten)]
    rendering: BrowserArgs,
    #[command(flatten)]
    fetching: FetchArgs,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let place = Place::parse(&args.output)?;
    let options = args.crawling.options(args.url.clone());
    let report = crawl_into(&place, &options, &args.fetching, &args.rendering, ui, args.print_saved)?;
    if ui.json {
        ui.print_json(&ui::crawl_json(&report, place.path()))?;
    } else if !ui.quiet && !args.print_saved {
        ui.print(&ui::crawl_text(&report, place.path()))?;
    }
    Ok(conclude(ui, &report, place.path()))
}

/// Crawls with everything around it: Ctrl-C, the display, messages.
pub(crate) fn crawl_into(
    place: &Place,
    options: &CrawlOptions,
    fetching: &FetchArgs,
    rendering: &BrowserArgs,
    ui: Ui,
    print_saved: bool,
) -> Result<Report> {
    let stop = Stop::default();
    stop.on_interrupt(|| process::exit(i32::from(Exit::Interrupted.code())))?;
    crawl_until(place, options, (fetching, rendering), ui, print_saved, &stop)
}

/// The same for a caller who listens to Ctrl-C.
pub(crate) fn crawl_until(
    place: &Place,
    options: &CrawlOptions,
    (fetching, rendering): (&FetchArgs, &BrowserArgs),
    ui: Ui,
    print_saved: bool,
    stop: &Stop,
) -> Result<Report> {
    let fetching = fetching.options();
    let browser = rendering.start(&fetching, ui)?;
    let fetcher = Fetcher::new(fetching, stop.clone())?;
    let mut watch = ui::CrawlWatch::new(ui, print_saved);
    let report = crawl::crawl_with_browser(&fetcher, browser.as_ref(), place, options, &mut watch)?;
    watch.end();
    if report.pages == 0 && options.mode == Mode::New && report.end != End::Stopped {
        // Nothing is lost with it; if it cannot be taken back, the next try says what to do.
        let _ = place.discard();
    }
    Ok(report)
}

/// What to do next, and how it ended.
pub(crate) fn conclude(ui: Ui, report: &Report, archive: &Path) -> Exit {
    let archive = archive.display();
    match &report.end {
        End::Done | End::PageLimit if report.pages == 0 => {
            ui.error("no page was saved: the start could not be fetched, or is no page that may be kept");
            return Exit::NothingFound;
        }
        End::Done => {}
        End::PageLimit if report.status.queued > 0 => {
            ui.hint(&format!("{} wait; --resume goes on", ui::counted(report.status.queued, "more address")));
        }
        End::PageLimit => {}
        End::Stopped => ui.warn("stopped; everything saved so far is good, and --resume goes on"),
        End::Unreachable(why) if report.pages == 0 => {
            ui.error(why);
            return Exit::Error;
        }
        End::Unreachable(why) => {
            ui.warn(&format!(
                "{why}\n{} wait; everything saved so far is good, and --resume goes on",
                ui::counted(report.status.queued, "address")
            ));
        }
        End::Disk(why) => {
            let next = if looks_full(why) { "make room and go on" } else { "mend that and go on" };
            ui.error(&format!("{why}\neverything saved so far is good; {next} with --resume"));
        }
    }
    warn_of_missing(ui, report);
    if report.is_partial() {
        return Exit::Partial;
    }
    ui.hint(&format!("what is in it: unsite run {archive} -o site.db"));
    Exit::Done
}

/// What the site has and the archive has not, though the crawl came to its end.
pub(crate) fn warn_of_missing(ui: Ui, report: &Report) {
    let mut parts = Vec::new();
    if report.failed > 0 {
        parts.push(format!("{} could not be fetched", ui::counted(report.failed, "address")));
    }
    if report.cut > 0 {
        parts.push(format!("{} saved only in part", ui::counted(report.cut, "page")));
    }
    if !parts.is_empty() {
        ui.warn(&format!("{}; --resume tries again", parts.join(", ")));
    }
}

/// Whether a message of the operating system says that there is no more room.
fn looks_full(why: &str) -> bool {
    // ENOSPC, EDQUOT and EFBIG, as the standard library spells them.
    ["os error 28", "os error 122", "os error 27", "disk is full", "disk full"]
        .iter()
        .any(|sign| why.contains(sign))
}
